/** Asks whether the SearXNG instance of `SEARXNG_URL` can be used, without searching. */
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import type { AskService } from '#backend/platform/service-watch.ts'
import { textOfReason, textOfStatus } from './ask-provider.ts'
import { searchesWith } from './configured.ts'
import type { SearchSetup } from './configured.ts'
import { SEARXNG_STATUSES } from './searxng.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1024 * 1024

/** Null when no search asks an instance. Other providers charge for each call, so only searches call them. */
export function askSearxng(setup: SearchSetup): AskService | null {
  const { searxng, userAgent } = setup
  if (searxng === null || !searchesWith(setup, 'searxng')) return null
  const shown = new URL(searxng.url)
  const failing = (problem: string) =>
    `SEARXNG_URL names the instance at ${shown.host}, but ${problem}. Until it can be used, ${effectOf(setup)}`
  return async () => {
    const client = createOperatorClient({ origins: [searxng.url], userAgent })
    try {
      // Without a query it answers 400, and 403 if it does not return JSON.
      const answer = await client.ask({ url: `${searxng.url}/search?format=json`, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
      if (answer.kind === 'failure') return failing(textOfReason(answer.reason))
      const isWell = answer.status === 400 || (answer.status >= 200 && answer.status < 300)
      return isWell ? null : failing(textOfStatus(answer.status, SEARXNG_STATUSES))
    } finally {
      await client.close()
    }
  }
}

/** What happens to searches while the instance fails. */
function effectOf(setup: SearchSetup): string {
  if (searchesWith(setup, 'brave') || searchesWith(setup, 'google')) return 'another provider answers searches of the web'
  return setup.order === null || setup.order.includes('own') ? 'searches find only the own pages of a team' : 'searches fail'
}
