/** The empty page that is opened ahead: for pages of the same settings alone, one at a time, and never left open. */
import type { Browser } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSparePage } from '#backend/renderer/spare-page.ts'
import type { OpenPage, PageSettings } from '#backend/renderer/open-page.ts'

const SETTINGS: PageSettings = { viewport: 'desktop', locale: 'en', proxy: null, maxBytes: 1000 }
const BROWSER = { name: 'one' } as unknown as Browser
const OTHER_BROWSER = { name: 'other' } as unknown as Browser

const spares = suite('spare pages of the browser')

/** Counts what is opened and closed, without a browser. */
function counted({ isBroken = false }: { isBroken?: boolean } = {}) {
  const opened: (PageSettings & { isClosed: boolean })[] = []
  const spare = createSparePage(async (_browser, settings) => {
    const own = { ...settings, isClosed: false }
    opened.push(own)
    if (isBroken && opened.length === 1) throw new Error('it cannot be opened')
    const close = async () => {
      own.isClosed = true
    }
    return { page: { isClosed: () => own.isClosed }, close, own } as unknown as OpenPage
  })
  return { opened, spare }
}

spares('a spare page is opened when a page follows another with the same settings, and the next page takes it', async () => {
  const { opened, spare } = counted()
  spare.prepare(BROWSER, SETTINGS)
  assert.is(opened.length, 0)
  spare.prepare(BROWSER, SETTINGS)
  spare.prepare(BROWSER, SETTINGS)
  assert.is(opened.length, 1)
  await spare.take(BROWSER, SETTINGS)
  assert.equal(
    opened.map(({ isClosed }) => isClosed),
    [false],
  )
  // It is used once.
  await spare.take(BROWSER, SETTINGS)
  assert.is(opened.length, 2)
  spare.drop()
})

spares('a spare page is not taken for other settings, nor in another browser', async () => {
  const proxy = { type: 'http' as const, host: 'proxy.example', port: 8080, username: null, password: null }
  const others: Partial<PageSettings>[] = [{ viewport: 'mobile' }, { locale: 'de' }, { proxy }, { maxBytes: 2000 }]
  for (const other of others) {
    const { opened, spare } = counted()
    spare.prepare(BROWSER, SETTINGS)
    spare.prepare(BROWSER, SETTINGS)
    await spare.take(BROWSER, { ...SETTINGS, ...other })
    assert.equal(opened[1], { ...SETTINGS, ...other, isClosed: false })
    await spare.take(OTHER_BROWSER, SETTINGS)
    assert.is(opened.length, 3)
    spare.drop()
    await Promise.resolve()
    await Promise.resolve()
    assert.is(opened[0]!.isClosed, true)
  }
})

spares('a spare page that failed to open, or was closed meanwhile, is replaced by a new page', async () => {
  const broken = counted({ isBroken: true })
  broken.spare.prepare(BROWSER, SETTINGS)
  broken.spare.prepare(BROWSER, SETTINGS)
  await broken.spare.take(BROWSER, SETTINGS)
  assert.is(broken.opened.length, 2)

  const closed = counted()
  closed.spare.prepare(BROWSER, SETTINGS)
  closed.spare.prepare(BROWSER, SETTINGS)
  closed.opened[0]!.isClosed = true
  await closed.spare.take(BROWSER, SETTINGS)
  assert.equal(
    closed.opened.map(({ isClosed }) => isClosed),
    [true, false],
  )
})

spares.run()
