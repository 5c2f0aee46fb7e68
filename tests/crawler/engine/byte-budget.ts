/** Memory for bodies in transfer: bounded, divided, without deadlock. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createByteBudget, SMALL_BYTES } from '#backend/crawler/engine/byte-budget.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'

const memory = suite('memory for bodies')
/** Most bytes that Node reads from a socket at once. */
const READ_BYTES = 64 * 1024
const MIB = 1024 * 1024

memory('a body beyond the budget waits, and continues when another has been read', async () => {
  const budget = createByteBudget({ most: 11 * MIB, reserve: MIB, shares: () => 1 })
  const bodies = Array.from({ length: 3 }, () => budget.open('a'))
  for (const body of bodies) body.hold(3 * MIB)
  assert.ok(!bodies[0]!.fits(5 * MIB))
  const told: number[] = []
  bodies.forEach((body, at) => body.wait(() => told.push(at)))
  await Promise.resolve()
  assert.equal(told, [0], 'one goes on at any time')
  bodies[0]!.end()
  await Promise.resolve()
  assert.equal(told, [0, 1, 2])
  for (const body of bodies) body.end()
  assert.is(budget.total, 0)
})

memory('one waiting body can always continue, and the next one after it', async () => {
  const budget = createByteBudget({ most: 3 * MIB, reserve: MIB, shares: () => 1 })
  const bodies = Array.from({ length: 4 }, () => budget.open('a'))
  for (const body of bodies) body.hold(MIB)
  const told: number[] = []
  bodies.forEach((body, at) => body.wait(() => told.push(at)))
  await Promise.resolve()
  assert.equal(told, [0])
  assert.ok(bodies[0]!.fits(2 * MIB), 'into the reserve')
  bodies[0]!.end()
  await Promise.resolve()
  assert.equal(told, [0, 1])
})

memory('a share stays within its part of the budget, and a small body of another share never waits', () => {
  const budget = createByteBudget({ most: 20 * MIB, reserve: 0, shares: () => 2 })
  const large = budget.open('greedy')
  large.hold(10 * MIB)
  assert.ok(!large.fits(11 * MIB))
  assert.ok(budget.usedBy('greedy') >= 1)
  assert.ok(budget.usedBy('modest') < 1)
  assert.ok(budget.open('modest').fits(9 * MIB))
  budget.change('greedy', 10 * MIB)
  assert.ok(budget.open('modest').fits(SMALL_BYTES))
  assert.ok(!budget.open('modest').fits(9 * MIB))
})

/** A site whose bodies are large, and a fetcher with little memory for them. */
async function withLargeBodies(test: (fetch: (path: string, share: string) => Promise<number>, most: () => number) => Promise<void>) {
  const large = Buffer.alloc(4 * MIB, 'x')
  const server = createServer((request, response) => response.end(request.url === '/small' ? 'small' : large))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const allow = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const egress = createEgress({ allow, connectionsPerOrigin: 64, resolver: null, userAgent: 'SeineBot/0.1' })
  const budget = createByteBudget({ most: 12 * MIB, reserve: 4 * MIB, shares: () => 2 })
  let most = 0
  const open = (share: string) => {
    const body = budget.open(share)
    return {
      ...body,
      hold(bytes: number) {
        body.hold(bytes)
        most = Math.max(most, budget.total)
      },
    }
  }
  const fetcher = httpFetcher({ egress, memory: { open } })
  const { signal } = new AbortController()
  try {
    await test(
      async (path, share) => {
        const url = `http://${allow}${path}`
        const outcome = await fetcher.fetch({ url, share, headers: {}, timeoutMs: 30_000, maxBytes: 10 * MIB, signal })
        return outcome.kind === 'fetched' ? outcome.body.length : -1
      },
      () => most,
    )
    assert.is(budget.total, 0, 'all of it is given back')
  } finally {
    await fetcher.close()
    await egress.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

memory('H4: 40 large bodies at once stay within the budget and all arrive; small ones of another share do not wait for them', () =>
  withLargeBodies(async (fetch, most) => {
    let isFinished = false
    const large = Promise.all(Array.from({ length: 40 }, () => fetch('/large', 'greedy'))).finally(() => (isFinished = true))
    const small = await Promise.all(Array.from({ length: 10 }, () => fetch('/small', 'modest')))
    assert.equal(new Set(small), new Set([5]))
    assert.ok(!isFinished, 'the small ones were first')
    assert.equal(new Set(await large), new Set([4 * MIB]))
    // The budget, and what each of them may hold without asking: a small body and one reading of its socket.
    assert.ok(most() <= 12 * MIB + 40 * (SMALL_BYTES / 2 + READ_BYTES), `${most()} bytes at once`)
  }),
)

memory.run()
