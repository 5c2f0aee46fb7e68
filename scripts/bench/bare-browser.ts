/**
 * A minimal renderer for comparison. For each page of a site it opens a context in one browser, loads the page, waits for what its script
 * creates and reads the document. Arguments: browser, URL, pages, pages at once. Prints one line of JSON.
 */
import { chromium } from 'playwright-core'

const [executablePath = '', base = '', pages = '0', atOnce = '1'] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'], chromiumSandbox: process.getuid?.() !== 0 })
await drawn(0)
let next = 0
const started = performance.now()
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (next < Number(pages)) {
      next += 1
      await drawn(next - 1)
    }
  }),
)
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000 }))
await browser.close()

async function drawn(no: number): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${base}${no}`, { waitUntil: 'load' })
  // It knows what the product cannot know: when the page is complete.
  await page.waitForSelector('article')
  const html = await page.content()
  if (!html.includes('</article>')) throw new Error('the page has no text')
  await context.close()
}
