/** Uploaded files: read like pages of their kind, for the newest published client; the older one has no such call. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const parse = suite('Firecrawl parse')
const f = await startFirecrawl()
const client = f.clients['4.42.0']

const HTML = `<html><head><title>Tides</title></head><body><nav>Menu words</nav><main><h1>Tides</h1>
<p>The water rises twice a day at this coast, and falls as often, which is <a href="/moon">the work of the moon</a>.</p>
<p>More is said <a href="https://example.org/tides">elsewhere</a> about the springs and the neaps of each month.</p></main></body></html>`
const fixture = (name: string) => readFileSync(new URL(`../crawler/fixtures/documents/${name}`, import.meta.url))
const DOCX = fixture('tides-pandoc.docx')
const PDF = fixture('tides-libreoffice.pdf')

/** A form as browsers send it, without a library. */
const send = async (parts: [name: string, head: string, value: string | Buffer][], headers: Record<string, string> = {}) => {
  const pieces = parts.flatMap(([name, head, value]) => [
    Buffer.from(`--b0\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  const reply = await fetch(`${f.product.url}/v2/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${f.key}`, 'content-type': 'multipart/form-data; boundary=b0', ...headers },
    body: Buffer.concat([...pieces, Buffer.from('--b0--\r\n')]),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, json: (await reply.json()) as any }
}
const FILE = '; filename="a.html"\r\nContent-Type: text/html'

parse('the client gets the document of an HTML file', async () => {
  const file = { data: HTML, filename: 'tides.html', contentType: 'text/html' }
  const page = await client.parse(file, { formats: ['markdown', 'html', 'links'] })
  assert.match(page.markdown ?? '', /^# Tides\n\nThe water rises/)
  assert.not.match(page.markdown ?? '', /Menu words|upload\.invalid/)
  assert.match(page.html ?? '', /<h1>Tides<\/h1>/)
  assert.equal(page.links, ['https://example.org/tides'])
  const { metadata = {} } = page
  assert.equal([metadata.title, metadata.sourceURL, metadata.statusCode, metadata.creditsUsed], ['Tides', 'tides.html', 200, 0])
  assert.match((await client.parse(file, { onlyMainContent: false })).markdown ?? '', /Menu words/)
})

parse('office documents and texts are recognised by their bytes and names', async () => {
  const office = await client.parse({ data: DOCX, filename: 'tides.docx' })
  assert.match(office.markdown ?? '', /tide/i)
  const pdf = await client.parse({ data: PDF, filename: 'tides.pdf', contentType: 'application/pdf' })
  assert.match(pdf.markdown ?? '', /tide/i)
  const table = await client.parse({ data: 'port,height\nBrest,6.1\n', filename: 'heights.csv' })
  assert.match(table.markdown ?? '', /\| Brest +\| 6\.1 +\|/)
})

parse('an upload that its client breaks off frees its place', async () => {
  for (const sent of ['', 'half of it', `${HTML}\r\n--b0--\r\n`]) {
    for (let times = 0; times < 3; times += 1) {
      const socket = connect(Number(new URL(f.product.url).port), '127.0.0.1')
      const head = `--b0\r\nContent-Disposition: form-data; name="file"${FILE}\r\n\r\n${sent}`
      const length = Buffer.byteLength(head) + (sent.endsWith('--\r\n') ? 0 : 100)
      socket.write(
        `POST /v2/parse HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${f.key}\r\nContent-Type: multipart/form-data; boundary=b0\r\nContent-Length: ${length}\r\n\r\n`,
      )
      await new Promise((resolve) => socket.write(head, resolve))
      // The product has the request when it has answered another one.
      await fetch(`${f.product.url}/health/live`)
      socket.destroy()
    }
    await until(async () => (await send([['file', FILE, HTML]])).status === 200).catch(() =>
      assert.unreachable(`after uploads that broke off after “${sent.slice(-20)}”`),
    )
  }
})

parse('metadata keeps the names of the page, whatever they are', async () => {
  const page = '<meta name="constructor" content="Ferrari"><meta name="__proto__" content="P"><meta name="og:title" content="Tides">'
  const { json } = await send([['file', FILE, page + HTML]])
  const { metadata } = json.data
  assert.equal([Object.entries(metadata).find(([name]) => name === 'constructor')?.[1], metadata.ogTitle], ['Ferrari', 'Tides'])
  assert.equal(
    Object.keys(metadata).filter((name) => /object/i.test(name)),
    [],
  )
})

parse('an uploaded file is not stored, and costs no credits', async () => {
  const before = await client.getQueueStatus()
  const { metadata = {} } = await client.parse({ data: HTML, filename: 'tides.html' })
  assert.equal(await client.getQueueStatus(), before)
  assert.equal((await client.getCreditUsageHistorical()).periods, [])
  assert.is((await f.call(`/v2/scrape/${String(metadata['scrapeId'])}`)).status, 404)
})

parse('options that files do not support are refused, and options that need a model get a warning', async () => {
  for (const options of [{ waitFor: 1 }, { actions: [] }, { maxAge: 1 }, { formats: ['screenshot'] }, { proxy: 'stealth' }]) {
    const { json, status } = await send([
      ['options', '', JSON.stringify(options)],
      ['file', FILE, HTML],
    ])
    assert.equal([status, json.success, json.code], [400, false, 'PARSE_UNSUPPORTED_OPTIONS'], JSON.stringify(options))
  }
  const { json } = await send([
    ['options', '', JSON.stringify({ formats: ['markdown', 'summary'] })],
    ['file', FILE, HTML],
  ])
  assert.match(json.data.markdown, /# Tides/)
  assert.match(json.warning, /summary is not available for files/)
})

parse('invalid forms and unreadable files get an error with the reason', async () => {
  const wrong: [Promise<{ status: number; json: { error: string; code?: string } }>, number, RegExp][] = [
    [send([['options', '', '{}']]), 400, /file: This field is required/],
    [send([['file', '', HTML]]), 400, /file: This field is required/],
    [send([['file', FILE, '']]), 400, /file: The file is empty/],
    [send([['file', '; filename="a.bin"', Buffer.from([0, 1, 2, 3, 255, 254, 0, 9])]]), 400, /cannot be read/],
    [
      send([
        ['file', FILE, HTML],
        ['options', '', '{"unheardOf":1}'],
      ]),
      400,
      /unheardOf/,
    ],
    [
      send([
        ['file', FILE, HTML],
        ['options', '', '{"a":'],
      ]),
      400,
      /JSON/,
    ],
    [send([], { 'content-type': 'multipart/form-data' }), 400, /boundary/],
    [send([['file', FILE, HTML]], { 'content-type': 'multipart/form-data; boundary=other' }), 400, /end is missing/],
    [send(Array.from({ length: 17 }, (_, at) => [`p${at}`, '', 'x'])), 400, /more than 16 parts/],
    [send([['file', FILE, HTML]], { authorization: 'Bearer sn-unknown' }), 401, /Unauthorized/],
    [send([['file', FILE, Buffer.alloc(11 * 1024 * 1024, 97)]]), 413, /./],
  ]
  for (const [sent, status, words] of wrong) {
    const { json, status: got } = await sent
    assert.is(got, status, JSON.stringify(json))
    assert.match(json.error, words)
  }
  const json = await f.call('/v2/parse', { body: {} })
  assert.equal([json.status, /parts options and file/.test(json.json.error)], [400, true])
  const elsewhere = await fetch(`${f.product.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${f.key}`, 'content-type': 'multipart/form-data; boundary=b0' },
    body: '--b0--',
  })
  assert.is(elsewhere.status, 400)
})

parse('a file with a million open elements gets an answer, and so does the next file', async () => {
  const [one, two] = await Promise.all([send([['file', FILE, '<div>'.repeat(1_000_000)]]), send([['file', FILE, HTML]])])
  assert.ok([200, 400].includes(one.status), `${one.status}`)
  assert.match(two.json.data.markdown, /# Tides/)
})

parse('T14 a file that was not read in time keeps its place until it is read', async () => {
  const long = `<main>${'<p>Some <b>words</b> <a href="/x">here</a> and there.</p>'.repeat(170_000)}</main>`
  const sendLong = () =>
    send([
      ['options', '\r\nContent-Type: application/json', '{"timeout":1000}'],
      ['file', FILE, long],
    ])
  const sendShort = () => send([['file', FILE, HTML]])
  const late = await Promise.all([sendLong(), sendLong()])
  assert.equal(
    late.map(({ status }) => status),
    [408, 408],
  )
  const beside = await Promise.all([sendShort(), sendShort()])
  assert.ok(
    beside.some(({ status }) => status === 429),
    beside.map(({ status }) => status).join(),
  )
  await until(async () => (await sendShort()).status === 200, 60_000)
})

parse.run()
