import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseTeam, currentTeamId } from '#web/state/current-team.ts'
import { leaveTeam } from '#web/team/teams/leave-team.ts'

const LEFT = '018f2b3c-0000-7000-8000-000000000001'
const OLDEST = '018f2b3c-0000-7000-8000-000000000002'
const USER = '018f2b3c-0000-7000-8000-000000000003'

const leaving = suite('leaving a team')
const { fetch } = globalThis
leaving.before.each(() => chooseTeam(LEFT))
leaving.after.each(() => {
  globalThis.fetch = fetch
})

/** Lets the server answer each method and path; anything else is a 500. */
function serve(answers: Record<string, unknown>): void {
  globalThis.fetch = (input, init) => {
    const asked = `${init?.method} ${(input as string).replace(/\?.*/, '')}`
    const answer = answers[asked]
    return Promise.resolve(answer === undefined ? new Response(null, { status: 500 }) : Response.json(answer))
  }
}

const ENDED = {
  'GET /api/v1/user/teams/current/': { uuid: LEFT },
  'GET /api/v1/user/teams/current/members/': { results: [{ uuid: 'membership', user: { uuid: USER } }], next: null },
  'DELETE /api/v1/user/teams/current/members/membership/': {},
}

leaving('after leaving a team the page is in the user’s oldest one', async () => {
  serve({ ...ENDED, 'GET /api/v1/user/teams/': [{ uuid: OLDEST }] })
  await leaveTeam(LEFT, USER, true)
  assert.is(currentTeamId(), OLDEST)
})

leaving('a team that was left is not kept when the others cannot be read', async () => {
  serve(ENDED)
  await leaveTeam(LEFT, USER, true)
  assert.is(currentTeamId(), null)
})

leaving('a membership that did not end is reported, and the team stays', async () => {
  serve({ ...ENDED, 'DELETE /api/v1/user/teams/current/members/membership/': undefined })
  await leaveTeam(LEFT, USER, true).then(
    () => assert.unreachable(),
    ({ status }: { status: number }) => assert.is(status, 500),
  )
  assert.is(currentTeamId(), LEFT)
})

leaving.run()
