/**
 * Limits that the browser enforces, all in this one place. The rules of passwords are in `contract/passwords.ts`; the sidebar's width, the
 * submenu's height and the breakpoints are in `styles/tokens.css`.
 */

/** How long a toast stays, in milliseconds; a loading toast stays until it is dismissed. */
export const TOAST_MS = { blank: 4000, error: 4000, success: 2000, loading: Number.POSITIVE_INFINITY } as const

/** How many toasts are shown at once. */
export const MAX_TOASTS = 20

/** Refresh interval of the repository's number of stars. */
export const STAR_REFRESH_MS = 5 * 60 * 1000

/** Breadcrumbs with more steps collapse on small screens. */
export const MAX_SMALL_TRAIL = 2

/** Rows on one page of a list. */
export const PAGE_SIZE = 10
/** Page sizes to choose from, where there is a choice. */
export const PAGE_SIZES = [10, 25, 50, 100] as const

/** Characters of a long text that are shown until the user asks for all of it. */
export const MAX_PREVIEW = 200_000

/** How long a copy button shows that it copied. */
export const COPIED_MS = 2000

/** From this width on the sidebar is beside the content: the frame's only breakpoint. */
export const LARGE_SCREEN = '(min-width: 1024px)'
/** From this width on a list and its chosen entry are side by side: Tailwind's `md`. */
export const MEDIUM_SCREEN = '(min-width: 48rem)'
