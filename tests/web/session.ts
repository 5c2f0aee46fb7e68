import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimsOf, createSession, isExpired } from '#web/state/session.ts'
import { createCurrentTeam } from '#web/state/current-team.ts'
import { parseRuntimeConfig } from '#web/state/runtime-config.ts'
import { fakeStorage, tokenOf } from '#tests/support/browser/page.ts'

const NOW = Date.parse('2026-03-04T09:00:00Z')
const inSeconds = (seconds: number) => NOW / 1000 + seconds
const start = (kept: Record<string, string> = {}) => {
  const storage = fakeStorage(kept)
  return { storage, session: createSession({ storage, now: () => NOW }) }
}

const tokens = suite('the session')

tokens('S-SES-01 the session stores the two tokens under two keys', () => {
  const { storage, session } = start()
  assert.not(session.isSignedIn())
  session.signIn({ access: tokenOf({ exp: inSeconds(300), user_id: 'u1' }), refresh: tokenOf({ exp: inSeconds(3600) }) })
  assert.ok(session.isSignedIn())
  assert.ok(storage.getItem('access_token'))
  assert.ok(storage.getItem('refresh_token'))
  assert.is(session.userId.peek(), 'u1')
})

tokens('S-SES-04 the session lasts as long as the refresh token, regardless of the access token', () => {
  const old = tokenOf({ exp: inSeconds(-60) })
  const alive = tokenOf({ exp: inSeconds(60) })
  assert.ok(start({ access_token: old, refresh_token: alive }).session.isSignedIn())
  assert.not(start({ access_token: alive, refresh_token: old }).session.isSignedIn())
})

tokens('S-SES-04 a session that has ended is removed from the storage when the page loads', () => {
  const { storage } = start({ access_token: tokenOf({ exp: inSeconds(60) }), refresh_token: tokenOf({ exp: inSeconds(-1) }) })
  assert.is(storage.getItem('access_token'), null)
  assert.is(storage.getItem('refresh_token'), null)
})

tokens('S-SES-04 a token that cannot be read has expired', () => {
  for (const token of [null, '', 'x', 'a.b.c', tokenOf({}), tokenOf({ exp: 'soon' })]) assert.ok(isExpired(token, NOW), String(token))
  assert.not(isExpired(tokenOf({ exp: inSeconds(1) }), NOW))
  assert.ok(isExpired(tokenOf({ exp: inSeconds(0) }), NOW))
})

tokens('S-SES-05 signing out removes both tokens', () => {
  const { storage, session } = start({ access_token: 'a', refresh_token: tokenOf({ exp: inSeconds(60) }) })
  session.signOut()
  assert.is(storage.getItem('access_token'), null)
  assert.is(storage.getItem('refresh_token'), null)
  assert.not(session.isSignedIn())
})

tokens('claims are read in any alphabet', () => {
  assert.equal(claimsOf(tokenOf({ user_id: 'ü?>~ÿ' })), { user_id: 'ü?>~ÿ' })
})

const team = suite('the current team')
const ID = '6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11'

team('S-TEA-02 the current team is stored in local storage and read again', () => {
  const storage = fakeStorage()
  createCurrentTeam({ storage }).choose(ID)
  assert.is(storage.getItem('current_team'), ID)
  assert.is(createCurrentTeam({ storage }).team.peek(), ID)
})

team('S-TEA-02 the current team is forgotten on request, or if it is not a team id', () => {
  const storage = fakeStorage({ current_team: ID })
  createCurrentTeam({ storage }).choose(null)
  assert.is(storage.getItem('current_team'), null)
  const warn = console.warn
  console.warn = () => undefined
  const other = fakeStorage({ current_team: 'nonsense\r\nx: y' })
  assert.is(createCurrentTeam({ storage: other }).team.peek(), null)
  assert.is(other.getItem('current_team'), null)
  console.warn = warn
})

const config = suite('the runtime config')

config('the runtime config has the defaults if the page contains none', () => {
  for (const text of [null, undefined, '', '  ']) assert.is(parseRuntimeConfig(text).apiUrl, '')
})

config('the runtime config has the given values, and the defaults for the rest', () => {
  const read = parseRuntimeConfig('{"apiUrl":"https://api.example/","productName":"Net"}')
  assert.is(read.apiUrl, 'https://api.example')
  assert.is(read.productName, 'Net')
  assert.is(read.enterpriseMode, false)
})

config('the runtime config has the defaults if it is invalid', () => {
  const warn = console.warn
  console.warn = () => undefined
  for (const text of ['{', '7', '{"apiUrl":7}']) assert.is(parseRuntimeConfig(text).productName, 'Seine', text)
  console.warn = warn
})

tokens.run()
team.run()
config.run()
