/**
 * The language of the page. The gateway chooses it when it writes the page: by our cookie, else by the browser's preference. To change the
 * language, the page must be loaded again.
 */
import { LANGUAGE_COOKIE, preferredLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import { LANGUAGE } from '#texts/language.ts'
import { basePath } from './runtime-config.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The cookie for a choice; null removes it. */
export const languageCookie = (choice: Language | null, path = basePath || '/'): string =>
  `${LANGUAGE_COOKIE}=${choice ?? ''}; path=${path}; max-age=${choice === null ? 0 : YEAR_SECONDS}; samesite=lax`

/** What a choice changes: the cookie, if it differs, and whether the page must be reloaded in another language. */
export function languageChange(
  choice: Language | null,
  page: { cookies: string; language: string; browserLanguages: readonly string[] },
): { cookie: string | null; reloads: boolean } {
  const kept = page.cookies.split('; ').find((cookie) => cookie.startsWith(`${LANGUAGE_COOKIE}=`))
  const before = kept?.slice(LANGUAGE_COOKIE.length + 1) || null
  // Compare first: in a browser without cookies the page would otherwise reload for ever.
  if (before === choice) return { cookie: null, reloads: false }
  const wanted = choice ?? preferredLanguage(page.browserLanguages.join(',')) ?? page.language
  return { cookie: languageCookie(choice), reloads: wanted !== page.language }
}

/** Applies the user's choice, made on this device or another; null is the browser's preference. */
export function applyLanguage(choice: Language | null): void {
  const { cookie, reloads } = languageChange(choice, {
    cookies: document.cookie,
    language: LANGUAGE,
    browserLanguages: navigator.languages,
  })
  if (cookie === null) return
  document.cookie = cookie
  if (reloads && document.cookie.includes(`${LANGUAGE_COOKIE}=`) === (choice !== null)) window.location.reload()
}
