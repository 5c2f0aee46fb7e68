/** Helpers of browser tests in enterprise mode: a team on a plan, and a visitor who has decided about cookies. */
import { login } from '#contract/accounts.ts'
import { startSubscription } from '#contract/plans.ts'
import { createTeam, listTeams } from '#contract/teams.ts'
import type { Team } from '#contract/teams.ts'
import type { startEnterprise } from '#tests/support/enterprise.ts'
import { OWNER } from '#tests/support/product.ts'
import type { OpenedPage } from '#tests/e2e/support.ts'

type Enterprise = Awaited<ReturnType<typeof startEnterprise>>

/** Calls the API as the owner, of a team. */
async function ownerOf({ url }: Pick<Enterprise, 'url'>, teamId?: string) {
  const { access } = (await (await send('POST', login.path, OWNER)).json()) as { access: string }
  return call

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    return send(method, path, body, { authorization: `Bearer ${access}`, ...(teamId && { 'x-team-id': teamId }) })
  }

  async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`)
    return reply
  }
}

/** A further team of the owner, which is not the default one. */
export async function newTeam(product: Enterprise, name: string): Promise<Team> {
  const call = await ownerOf(product)
  return (await (await call('POST', createTeam.path, { name })).json()) as Team
}

/** The owner's first team, the default one. */
export async function defaultTeam(product: Enterprise): Promise<Team> {
  const call = await ownerOf(product)
  const teams = (await (await call('GET', listTeams.path)).json()) as Team[]
  const found = teams.find(({ is_default: isDefault }) => isDefault)
  if (!found) throw new Error('there is no default team')
  return found
}

/** Subscribes a team to a plan; a paid one is paid on the stand-in's page, which notifies the product. */
export async function takePlan(product: Enterprise, planId: string, teamId?: string): Promise<void> {
  const call = await ownerOf(product, teamId)
  const reply = await call('POST', startSubscription.path, { plan_uuid: planId })
  if (reply.status === 204) return
  const { redirect_url: page } = (await reply.json()) as { redirect_url: string }
  await fetch(`${page}/go`, { redirect: 'manual' })
}

/** Decides about cookies, so that the page does not ask. */
export async function decideCookies(page: OpenedPage): Promise<void> {
  await page.addInitScript(() => {
    const record = { given: true, categories: ['necessary'], timestamp: new Date().toISOString() }
    localStorage.setItem('cookie_consent', JSON.stringify(record))
  })
}
