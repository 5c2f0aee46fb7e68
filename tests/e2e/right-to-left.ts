import { chromium } from 'playwright'
import { pathTo } from '#web/navigation.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser } from './support.ts'

const ARABIC = `<!doctype html><html lang="ar" dir="rtl"><head><title>مرحبا (2)!</title></head><body><main><h1>مرحبا بكم في الموقع</h1>
<p>هذا نص طويل باللغة العربية لاختبار عرض النصوص من اليمين إلى اليسار في الصفحة المحفوظة.</p>
<ul><li>العنصر الأول</li><li>العنصر الثاني</li></ul>
<table><tr><th>الاسم</th><th>القيمة</th></tr><tr><td>واحد</td><td>1</td></tr></table>
<p>An English paragraph stands among them, as quotations do on such pages.</p></main></body></html>`

const product = await startProduct()
const site = await startSite({ '/': ARABIC })
const browser = await openBrowser(chromium, product.url)

const scripts = suite('pages in a script from right to left')

scripts('each text of a stored page has its own direction, and the page its language', async () => {
  const crawls = await crawlsOf(product)
  const id = await crawls.start(site.url('/'))
  await crawls.ended(id)
  const page = await browser.newPage()
  await enter(page, OWNER)
  await page.goto(pathTo('crawlDetails', { requestId: id }))
  const text = page.locator('.rendered-markdown')
  await text.getByText('العنصر الثاني').waitFor()
  await becomes(() => text.getAttribute('lang'), 'ar')
  const directions = () =>
    text.evaluate((element) =>
      [...element.querySelectorAll('h3, p, ul, td')].map((block) => `${block.nodeName} ${getComputedStyle(block).direction}`),
    )
  await becomes(directions, ['H3 rtl', 'P rtl', 'UL rtl', 'TD rtl', 'TD rtl', 'P ltr'])
  const title = page.getByRole('list', { name: 'Pages' }).getByText('مرحبا (2)!')
  await becomes(() => title.evaluate((element) => getComputedStyle(element).direction), 'rtl', 'the exclamation mark ends the title')
})

scripts('the numbers of a team with an Arabic name stand behind the name, before the account is deleted', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Team: / }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  await page.getByLabel('Team Name').fill('فريق الصيد')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Team: فريق الصيد' }).waitFor()
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'فريق' })
  const isBehind = () =>
    line.evaluate((item) => {
      const text = item.firstChild!
      const at = (words: string) => {
        const range = document.createRange()
        const start = text.textContent!.indexOf(words)
        range.setStart(text, start)
        range.setEnd(text, start + words.length)
        return range.getBoundingClientRect()
      }
      return at('0').left >= at('فريق الصيد').right
    })
  await becomes(isBehind, true)
})

scripts.run()
