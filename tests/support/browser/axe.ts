/** Runs axe-core in the page, which finds accessibility errors by public rules. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** The rules about colours: only these can break when the theme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block']
/** Off by default: a control is called what it shows (WCAG 2.5.3), and a finger can hit it (2.5.8). */
const MORE = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } }

type AxeWindow = Window & { axe?: { run(options: RunOptions): Promise<AxeResults> } }

/** The findings of axe on the current page, one line each. `onlyColours` checks colours only, for elements that were checked completely in another theme. */
export async function axeFindings(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  // Injected by the debugger, so the page's content policy does not apply; once per document.
  if (await page.evaluate(() => !(window as AxeWindow).axe)) await page.evaluate(source)
  return page.evaluate(
    async ([rules, more]) => {
      const which: RunOptions = rules === null ? { rules: more } : { runOnly: { type: 'rule', values: rules } }
      const options: RunOptions = { resultTypes: ['violations'], ...which }
      const { violations } = await (window as AxeWindow).axe!.run(options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    [onlyColours ? COLOURS : null, MORE] as const,
  )
}
