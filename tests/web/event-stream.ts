import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEvents } from '#web/api/event-stream.ts'
import { streamOf } from '#tests/support/browser/page.ts'

const read = async (pieces: readonly (string | Uint8Array)[]) => {
  const events: unknown[] = []
  for await (const event of readEvents(streamOf(pieces))) events.push(event)
  return events
}

const stream = suite('reading an event stream')

const table: [pieces: (string | Uint8Array)[], events: unknown[], why: string][] = [
  [['data: {"a":1}\n\ndata: {"a":2}\n\n'], [{ a: 1 }, { a: 2 }], 'one event per data line'],
  [['data:{"a":1}\n\n'], [{ a: 1 }], 'no space after the colon'],
  [['da', 'ta: {"a"', ':1}\n', '\n'], [{ a: 1 }], 'pieces cut inside a line'],
  [['data: {"a":1}\r', '\n\r\ndata: {"a":2}\r\n\r\n'], [{ a: 1 }, { a: 2 }], 'CRLF, cut between CR and LF'],
  [[': ping\n\n', 'event: x\nid: 7\ndata: {"a":1}\n\n'], [{ a: 1 }], 'comments and other fields are left out'],
  [['data: {"a":1}\n\ndata: {"a":2}'], [{ a: 1 }, { a: 2 }], 'a last line without a line break'],
  [[], [], 'an empty stream'],
  [['\n\n\n'], [], 'only empty lines'],
]

for (const [pieces, events, why] of table) stream(`S-WRK-08 ${why}`, async () => assert.equal(await read(pieces), events))

stream('S-WRK-08 a character split over two pieces is whole', async () => {
  const bytes = new TextEncoder().encode('data: {"t":"Käse 🫖"}\n\n')
  const cut = [...bytes].map((byte) => Uint8Array.of(byte))
  assert.equal(await read(cut), [{ t: 'Käse 🫖' }])
})

stream('S-WRK-08 one broken line does not end the stream', async () => {
  const warn = console.warn
  console.warn = () => undefined
  try {
    assert.equal(await read(['data: {oops\n\ndata: {"a":2}\n\n']), [{ a: 2 }])
  } finally {
    console.warn = warn
  }
})

stream('a line of megabytes that arrives in small pieces is read whole', async () => {
  const long = 'x'.repeat(4096)
  const pieces = ['data: "', ...Array.from({ length: 512 }, () => long), '"\n\n']
  const [text] = await read(pieces)
  assert.is((text as string).length, 512 * 4096)
})

stream('leaving the loop closes the connection', async () => {
  let closed = false
  const endless = streamOf(
    Array.from({ length: 1000 }, (_, at) => `data: ${at}\n\n`),
    { onCancel: () => (closed = true) },
  )
  for await (const event of readEvents<number>(endless)) if (event === 2) break
  assert.ok(closed)
})

stream.run()
