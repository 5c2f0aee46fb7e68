/** Translates the actions of Firecrawl's clients to ours. Pure. */
import { ACTION_TEXTS } from '#contract/crawls.ts'
import { shotFields } from '#contract/firecrawl/shapes.ts'
import type { ScrapeOptions, ShotFields } from '#contract/firecrawl/shapes.ts'
import type { PageAction, Shot } from '#backend/crawler/crawl/renderer.ts'
import { badRequest } from './errors.ts'

type Given = Extract<ScrapeOptions['actions'], unknown[]>[number]
export type ActionWish = { actions: PageAction[]; warnings: string[] }

/** Limit for the waits of one page together, in milliseconds. */
const MOST_WAIT_MS = 60_000
/** Distance of one `scroll`: about the height of a window, in CSS pixels. */
const WINDOW_PIXELS = 800

/**
 * The browser's actions for each page. Unsupported actions are left out and named in `warnings`.
 *
 * @throws {Refused} for an unknown or incomplete action
 */
export function actionsOf(given: readonly Given[] = []): ActionWish {
  const warnings = new Set<string>()
  const actions: PageAction[] = []
  let waitMs = 0
  /** The element clicked last has the focus. */
  let focused: string | null = null
  for (const [at, action] of given.entries()) {
    const textOf = (name: keyof typeof ACTION_TEXTS) => textAt(action, name, at)
    switch (action.type) {
      case 'wait': {
        const { milliseconds, selector } = action
        if ((milliseconds === undefined) === (selector === undefined))
          throw badRequest(`actions.${at}: wait needs either milliseconds or selector.`)
        if (milliseconds === undefined) actions.push({ type: 'wait', selector: textOf('selector') })
        else {
          if (!Number.isSafeInteger(milliseconds) || (milliseconds as number) < 0)
            throw badRequest(`actions.${at}: milliseconds must be a whole number.`)
          waitMs += milliseconds as number
          actions.push({ type: 'wait', ms: milliseconds as number })
        }
        break
      }
      case 'click':
        focused = textOf('selector')
        actions.push({ type: 'click', selector: focused })
        if (action['all'] === true) warnings.add('click.all has no effect: the first element is clicked.')
        break
      case 'write':
        if (focused === null) throw badRequest(`actions.${at}: write needs a click before it, on the field to write into.`)
        actions.push({ type: 'type', selector: focused, text: textOf('text') })
        break
      case 'press':
        actions.push({ type: 'press', key: textOf('key') })
        break
      case 'scroll':
        actions.push({ type: 'scroll', pixels: action['direction'] === 'up' ? -WINDOW_PIXELS : WINDOW_PIXELS })
        if (action['selector'] !== undefined) warnings.add('scroll.selector has no effect: the page is scrolled.')
        break
      case 'screenshot':
        actions.push(shotOf(readShot(action, at)))
        break
      case 'pdf':
        actions.push({ type: 'pdf' })
        break
      case 'scrape':
      case 'executeJavascript':
        warnings.add(`The action ${action.type} is not available on this server: it was left out.`)
        break
      default:
        throw badRequest(`actions.${at}: ${action.type.slice(0, 50)} is not an action.`)
    }
  }
  if (waitMs > MOST_WAIT_MS) throw badRequest(`Waits may take at most ${MOST_WAIT_MS / 1000} s together.`)
  return { actions, warnings: [...warnings] }
}

/** A screenshot: of the window or the whole page; PNG, or JPEG when a quality is given. */
export const shotOf = ({ fullPage, quality, viewport }: ShotFields): Shot => ({
  type: 'screenshot',
  ...(fullPage !== true && { area: 'window' as const }),
  ...(quality !== undefined && { quality }),
  ...(viewport !== undefined && { window: viewport }),
})

function readShot(action: Given, at: number): ShotFields {
  const read = shotFields.safeParse(action)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw badRequest(`actions.${at}.${issue!.path.join('.')}: ${issue!.message}`)
}

function textAt(action: Given, name: keyof typeof ACTION_TEXTS, at: number): string {
  const value = action[name]
  if (typeof value !== 'string' || value === '') throw badRequest(`actions.${at}: ${action.type} needs ${name}.`)
  const read = ACTION_TEXTS[name].safeParse(value)
  if (read.success) return read.data
  throw badRequest(`actions.${at}.${name}: ${read.error.issues[0]!.message}`)
}
