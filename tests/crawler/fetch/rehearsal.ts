/** The exchange that is made before the first one of a process. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HEAD_BYTES } from '#backend/crawler/fetch/exchange.ts'
import { rehearse } from '#backend/crawler/fetch/rehearsal.ts'

const rehearsal = suite('the rehearsal of an exchange')

rehearsal('reads a head and a body that goes on, keeps its first bytes and leaves', async () => {
  const heads: string[] = []
  await rehearse({
    limits: { firstByteMs: 10_000, idleMs: 10_000, leastBytesPerSecond: 0, slowMs: 10_000 },
    maxBytes: 2048,
    wireBytes: 2048 + HEAD_BYTES,
    overflow: 'cut',
    skipBody: undefined,
    onHead: (raw) => void heads.push(raw.map(String).join(' ')),
  })
  assert.equal(heads, ['content-type text/plain transfer-encoding chunked'])
})

rehearsal.run()
