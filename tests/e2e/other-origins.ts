import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { PATHS, pathTo } from '#web/navigation.ts'
import { codeSample } from '#web/runs/shared/code-samples.ts'
import { crawlSample } from '#web/runs/crawl/crawl-sample.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser, openSignedIn, signIn } from './support.ts'

const product = await startProduct()
const browser = await openBrowser(chromium, product.url)

const origins = suite('requests to other origins')

origins('T28 no screen sends requests anywhere but to our server and the star count', async () => {
  const page = await browser.newPage()
  const asked = new Set<string>()
  page.context().on('request', (request) => void asked.add(new URL(request.url()).origin))
  await enter(page, OWNER)
  for (const path of Object.values(PATHS).filter((path) => !path.includes(':') && path.startsWith('/dashboard'))) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  for (const name of ['crawlDetails', 'searchDetails', 'sitemapDetails'] as const) {
    await page.goto(pathTo(name, { requestId: 'none', id: 'none' }))
    await page.getByRole('heading').first().waitFor()
  }
  assert.equal(
    [...asked].filter((origin) => origin !== new URL(product.url).origin && origin !== 'null'),
    ['https://api.github.com'],
  )
})

origins('T28 the browser does not turn text into markup', async () => {
  const page = await browser.newPage()
  await signIn(page, OWNER)
  const tried = await page.evaluate(() => {
    const attempts: [name: string, act: () => unknown][] = [
      ['innerHTML', () => (document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>')],
      ['insertAdjacentHTML', () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>')],
      ['a script', () => (document.createElement('script').text = 'window.caught = 1')],
    ]
    return attempts.map(([name, act]) => {
      try {
        act()
        return `${name} went through`
      } catch {
        return `${name} was stopped`
      }
    })
  })
  assert.equal(tried, ['innerHTML was stopped', 'insertAdjacentHTML was stopped', 'a script was stopped'])
})

origins('T28 highlighted code has exactly the text of the code, whatever it contains', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/crawl', OWNER)
  const url = 'https://a.example/?q=<img src=x onerror=alert(1)>&b="it\'s"</code><script>1</script>'
  await page.getByLabel('URL to crawl').fill(url)
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  const code = page.getByRole('region', { name: 'cURL example' })
  await code.locator('.code-colours').waitFor()
  const shown = (await code.textContent()) ?? ''
  const body = JSON.parse(
    /--data-binary '([^]*?)' \\\n/.exec(shown.replaceAll(String.raw`'\''`, '’'))?.[1]?.replaceAll('’', "'") ?? '',
  ) as { url: string }
  assert.is(body.url, url)
  const expected = codeSample('curl', { baseUrl: product.url, apiKey: null, body, kind: crawlSample({ batch: false }) }).code
  assert.is(shown.trim(), expected.trim())
  await becomes(() => code.locator('img, script').count(), 0)
})

origins.run()
