/** Asks one provider after the other until one answers, and requests pages from that one until there are enough different hits. */
import type { FeedType } from '#contract/runs.ts'
import type { CleanHit } from './clean-hit.ts'
import { cleanHit } from './clean-hit.ts'
import type { SearchProvider, SearchQuestion } from './providers/index.ts'

type Tell = (type: FeedType, message: string, metadata?: Record<string, unknown>) => void

export type Found = { provider: SearchProvider; hits: CleanHit[] }

/**
 * The hits of the first provider that answers, in its order, each URL once.
 *
 * A provider that fails after its first page has answered: its hits are kept.
 *
 * @returns  null when none has answered
 */
export async function findHits(
  providers: readonly SearchProvider[],
  question: SearchQuestion,
  tell: Tell,
  signal: AbortSignal,
): Promise<Found | null> {
  const able = providers.filter(({ sources }) => sources.includes(question.source))
  if (able.length === 0) tell('error', `No search provider finds ${question.source}`)
  for (const [at, provider] of able.entries()) {
    tell('info', `Asking ${provider.label} for "${question.query}"`, { provider: provider.name })
    const answer = await askForPages(provider, question, tell, signal)
    signal.throwIfAborted()
    if ('hits' in answer) return { provider, hits: answer.hits }
    const next = able[at + 1]
    const then = next === undefined ? '' : `; asking ${next.label} instead`
    tell(next === undefined ? 'error' : 'warning', `${provider.label} has failed: ${answer.detail}${then}`, { provider: provider.name })
  }
  return null
}

async function askForPages(
  provider: SearchProvider,
  question: SearchQuestion,
  tell: Tell,
  signal: AbortSignal,
): Promise<{ hits: CleanHit[] } | { detail: string }> {
  const hits = new Map<string, CleanHit>()
  for (let page = 0; ; page += 1) {
    if (page > 0) tell('info', `Asking ${provider.label} for page ${page + 1}`, { provider: provider.name, page: page + 1 })
    const answer = await provider.page(question, page, signal)
    signal.throwIfAborted()
    if (answer.kind === 'failure') {
      if (page === 0) return { detail: answer.detail }
      tell('warning', `${provider.label} has no further page: ${answer.detail}`, { provider: provider.name })
      break
    }
    for (const note of answer.notes ?? []) tell('warning', `${provider.label}: ${note}`, { provider: provider.name })
    const before = hits.size
    for (const each of answer.hits) {
      const clean = cleanHit(each, question.source)
      if (clean !== null && hits.size < question.limit && !hits.has(clean.identity)) hits.set(clean.identity, clean.hit)
    }
    // Stop at a page without new hits: some providers repeat their last page for ever.
    if (hits.size >= question.limit || !answer.hasMore || (answer.hits.length > 0 && hits.size === before)) break
  }
  return { hits: [...hits.values()] }
}
