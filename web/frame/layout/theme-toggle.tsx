import { IconButton } from '#web/ui/form/button.tsx'
import { MoonIcon, SunIcon } from '#web/ui/icons.tsx'
import { toggleTheme, useTheme } from '#web/state/theme.ts'
import * as t from '#texts/layout.ts'

/** Light or dark; the button shows what it switches to. */
export function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  return (
    <IconButton
      size="normal"
      label={isDark ? t.switchToLightTheme : t.switchToDarkTheme}
      icon={isDark ? SunIcon : MoonIcon}
      onClick={toggleTheme}
    />
  )
}
