/**
 * Light or dark: the system's setting until the user chooses. The choice is stored, and copied to a cookie, so that the gateway writes the
 * page in that theme.
 */
import { computed, effect, signal } from '@preact/signals-react'
import { browserStorage, keep, onStoredElsewhere } from './browser-storage.ts'
import type { KeyStorage } from './browser-storage.ts'
import { basePath } from './runtime-config.ts'
import { useSignalValue } from './use-signal-value.ts'

export type Theme = 'light' | 'dark'

const THEME_KEY = 'theme'
const YEAR_SECONDS = 365 * 24 * 60 * 60

const read = (value: string | null): Theme | null => (value === 'light' || value === 'dark' ? value : null)

/** The cookie that the gateway reads. Without a choice there is none, and the style sheet follows the system. */
const themeCookie = (choice: Theme | null): string =>
  `theme=${choice ?? ''}; path=${basePath || '/'}; max-age=${choice === null ? 0 : YEAR_SECONDS}; samesite=lax`

type Needs = {
  storage: KeyStorage
  /** The system's preference, and a call for each change of it. */
  system: { isDark: () => boolean; onChange: (changed: (isDark: boolean) => void) => void }
  show: (theme: Theme, cookie: string) => void
}

export function createTheme({ storage, system, show }: Needs) {
  const choice = signal(read(storage.getItem(THEME_KEY)))
  const systemIsDark = signal(system.isDark())
  const theme = computed<Theme>(() => choice.value ?? (systemIsDark.value ? 'dark' : 'light'))

  system.onChange((isDark) => (systemIsDark.value = isDark))
  onStoredElsewhere(THEME_KEY, (value) => (choice.value = read(value)))
  effect(() => keep(storage, THEME_KEY, choice.value))
  effect(() => show(theme.value, themeCookie(choice.value)))

  return { theme, toggle }

  function toggle(): void {
    choice.value = theme.peek() === 'dark' ? 'light' : 'dark'
  }
}

const current = createTheme({
  storage: browserStorage(),
  system: {
    isDark: () => typeof window !== 'undefined' && window.matchMedia('(prefers-color-scheme: dark)').matches,
    onChange: (changed) => {
      if (typeof window === 'undefined') return
      window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => changed(event.matches))
    },
  },
  show: (theme, cookie) => {
    if (typeof document === 'undefined') return
    document.documentElement.dataset['theme'] = theme
    document.cookie = cookie
  },
})

export const useTheme = (): Theme => useSignalValue(current.theme)
export const toggleTheme = (): void => current.toggle()
