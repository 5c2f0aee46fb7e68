/** Translates the actions of Firecrawl's clients to ours. Pure. */
import type * as z from 'zod/mini'
import { ACTION_TEXTS } from '#contract/crawls.ts'
import { printFields, shotFields } from '#contract/firecrawl/shapes.ts'
import type { ScrapeOptions, ShotFields } from '#contract/firecrawl/shapes.ts'
import type { PageAction, Print, Shot } from '#backend/crawler/crawl/renderer.ts'
import { badRequest } from './errors.ts'
import { keyNamed } from './key-names.ts'

type Given = Extract<ScrapeOptions['actions'], unknown[]>[number]
type ActionWish = { actions: PageAction[]; warnings: string[] }

/** Limit for the waits of one page together, in milliseconds. */
const MOST_WAIT_MS = 60_000
/** The element that a `write` goes to: the innermost one with the focus. A component that passes its focus on has it as well. */
const FOCUSED = ':focus >> nth=-1'
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
  for (const [at, whole] of given.entries()) {
    const action = withoutEmptySelector(whole)
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
        actions.push({ type: 'click', selector: textOf('selector'), ...(action['all'] === true && { all: true }) })
        break
      case 'write':
        actions.push({ type: 'type', selector: FOCUSED, text: textOf('text') })
        break
      case 'press':
        actions.push({ type: 'press', key: keyNamed(textOf('key')) })
        break
      case 'scroll':
        actions.push({
          type: 'scroll',
          pixels: action['direction'] === 'up' ? -WINDOW_PIXELS : WINDOW_PIXELS,
          ...(action['selector'] !== undefined && { selector: textOf('selector') }),
        })
        break
      case 'screenshot':
        actions.push(shotOf(readShot(action, at)))
        break
      case 'pdf':
      // The name in the tools for agents.
      case 'generatePDF':
        actions.push(printOf(action, at))
        break
      case 'scrape':
        actions.push({ type: 'scrape' })
        break
      case 'executeJavascript':
        warnings.add('The action executeJavascript is not available on this server: it was left out.')
        break
      default:
        throw badRequest(`actions.${at}: ${action.type.slice(0, 50)} is not an action.`)
    }
  }
  if (waitMs > MOST_WAIT_MS) throw badRequest(`Waits may take at most ${MOST_WAIT_MS / 1000} s together.`)
  return { actions, warnings: [...warnings] }
}

/** Forms send a selector that was not filled in as an empty text. */
const withoutEmptySelector = (action: Given): Given => (action['selector'] === '' ? { ...action, selector: undefined } : action)

/** A screenshot: of the window or the whole page; PNG, or JPEG when a quality is given. */
export const shotOf = ({ fullPage, quality, viewport }: ShotFields): Shot => ({
  type: 'screenshot',
  ...(fullPage !== true && { area: 'window' as const }),
  ...(quality !== undefined && { quality }),
  ...(viewport !== undefined && { window: viewport }),
})

const millimetres = (width: number, height: number) => ({ width: width / 25.4, height: height / 25.4 })
/** The size of a PDF's pages in inches, by their name. Source: ISO 216, ANSI/ASME Y14.1. */
const PAPERS = {
  A0: millimetres(841, 1189),
  A1: millimetres(594, 841),
  A2: millimetres(420, 594),
  A3: millimetres(297, 420),
  A4: millimetres(210, 297),
  A5: millimetres(148, 210),
  A6: millimetres(105, 148),
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
  Ledger: { width: 17, height: 11 },
}

function printOf(action: Given, at: number): Print {
  const { format, landscape, scale } = readFields(printFields, action, at)
  return {
    type: 'pdf',
    ...(format !== undefined && { paper: PAPERS[format] }),
    ...(landscape === true && { isLandscape: true }),
    ...(scale !== undefined && { scale }),
  }
}

const readShot = (action: Given, at: number): ShotFields => readFields(shotFields, action, at)

function readFields<T extends z.ZodMiniType>(shape: T, action: Given, at: number): z.output<T> {
  const read = shape.safeParse(action)
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
