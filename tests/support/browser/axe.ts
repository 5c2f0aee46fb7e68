/** axe-core in the page: what keeps people out, by public rules. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** The rules that ask for colours: all that a change of theme can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

type AxeWindow = Window & { axe?: { run(options: RunOptions): Promise<AxeResults> } }

/** What axe finds on the page as it stands, a line each. `onlyColours`: the same elements were judged in another theme before. */
export async function axeFindings(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  // Handed in from outside, so that the page's content policy has no say; once for each document.
  if (await page.evaluate(() => !(window as AxeWindow).axe)) await page.evaluate(source)
  return page.evaluate(
    async (rules) => {
      const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
      const { violations } = await (window as AxeWindow).axe!.run(options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    onlyColours ? COLOURS : null,
  )
}
