/** Access and refresh tokens, without a server. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SignJWT } from 'jose'
import type { JWTPayload } from 'jose'
import { createTokens } from '#backend/accounts/tokens.ts'
import { createClock } from '#tests/support/clock.ts'

const tokens = suite('tokens')

const KEY = Buffer.alloc(32, 1)
const START = 1_800_000_000_000
const CLAIMS = { iss: 'seine', aud: 'seine api', jti: 'j', token_type: 'access', user_id: 'ana', sid: 's' }

function bench(startAt = START) {
  const clock = createClock(startAt)
  const { now } = clock
  return { clock, ...createTokens({ accessSeconds: 60, key: KEY, now, refreshSeconds: 600 }) }
}

const signed = (claims: JWTPayload, key = KEY, alg = 'HS256') => new SignJWT(claims).setProtectedHeader({ alg }).sign(key)
const at = Math.floor(START / 1000)

tokens('an access token has its user, session and time, and ends after its time', async () => {
  const { clock, read, signAccess } = bench(START + 700)
  const token = await signAccess({ userId: 'ana', sessionId: 's' })
  assert.equal(await read(token, 'access'), { userId: 'ana', sessionId: 's', issuedAt: START })
  assert.is(await read(token, 'refresh'), null)
  clock.advance(59_299)
  assert.ok(await read(token, 'access'))
  clock.advance(1)
  assert.is(await read(token, 'access'), null)
})

tokens('a refresh token names a session of its own, which only its holder can compute', async () => {
  const { clock, read, signRefresh } = bench(START + 700)
  const [one, other] = [await signRefresh('ana'), await signRefresh('ana')]
  assert.is(one.expiresAt, START + 600_000)
  assert.is.not(one.sessionId, other.sessionId)
  assert.not.match(Buffer.from(one.token.split('.')[1]!, 'base64url').toString(), one.sessionId)
  assert.equal(await read(one.token, 'refresh'), { userId: 'ana', sessionId: one.sessionId, issuedAt: START })
  assert.is(await read(one.token, 'access'), null)
  clock.advance(599_299)
  assert.ok(await read(one.token, 'refresh'))
  clock.advance(1)
  assert.is(await read(one.token, 'refresh'), null)
})

tokens('a token is ours only with our key and algorithm, and with each of its claims', async () => {
  const { read } = bench()
  const good = { ...CLAIMS, iat: at, exp: at + 60 }
  assert.ok(await read(await signed(good), 'access'))
  for (const name of Object.keys(good)) {
    const { [name as keyof typeof good]: _, ...others } = good
    assert.is(await read(await signed(others), 'access'), null, `without ${name}`)
  }
  for (const change of [{ iss: 'other' }, { aud: 'other' }, { token_type: 'refresh' }, { user_id: 7 }, { sid: 7 }, { nbf: at + 60 }])
    assert.is(await read(await signed({ ...good, ...change }), 'access'), null, JSON.stringify(change))
  assert.is(await read(await signed(good, Buffer.alloc(32, 2)), 'access'), null)
  assert.is(await read(await signed(good, Buffer.alloc(64, 1), 'HS512'), 'access'), null)
  const [, body] = (await signed(good)).split('.')
  assert.is(await read(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`, 'access'), null)
  for (const text of ['', 'a', 'a.b.c']) assert.is(await read(text, 'access'), null)
})

tokens.run()
