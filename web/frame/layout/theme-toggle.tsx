import { IconButton } from '#web/ui/form/button.tsx'
import { MoonIcon, SunIcon } from '#web/ui/icons.tsx'
import { toggleTheme, useTheme } from '#web/state/theme.ts'

/** Light or dark; the button shows what it switches to. */
export function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  return (
    <IconButton
      size="normal"
      label={isDark ? 'Switch to light theme' : 'Switch to dark theme'}
      icon={isDark ? SunIcon : MoonIcon}
      onClick={toggleTheme}
    />
  )
}
