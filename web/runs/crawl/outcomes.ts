/** The outcome of a URL in words, and its group: stored, failed, skipped by a rule, or waiting. Pure. */
import type { CrawlRequest } from '#contract/crawls.ts'
import * as t from '#texts/outcomes.ts'

export type OutcomeGroup = 'stored' | 'failed' | 'skipped' | 'waiting'

type Words = { group: OutcomeGroup; label: string }

const OUTCOMES: Record<string, Words> = {
  kept: { group: 'stored', label: t.stored },
  duplicate: { group: 'skipped', label: t.samePageUnderAnotherUrl },
  redirected: { group: 'skipped', label: t.redirectedToAnotherPage },
  not_modified: { group: 'skipped', label: t.unchangedSinceTheStoredCopy },
  out_of_scope: { group: 'skipped', label: t.outOfScope },
  document_type: { group: 'skipped', label: t.aKindOfDocumentThatIs },
  robots: { group: 'skipped', label: t.forbiddenByRobotsTxt },
  depth: { group: 'skipped', label: t.deeperThanTheLimit },
  limit: { group: 'skipped', label: t.overThePageLimit },
  canceled: { group: 'skipped', label: t.notFetchedTheCrawlWasCanceled },
  robots_unreachable: { group: 'failed', label: t.robotsTxtCouldNotBeRead },
  status: { group: 'failed', label: t.answeredWithAnErrorStatus },
  dns: { group: 'failed', label: t.nameNotFound },
  connect: { group: 'failed', label: t.couldNotConnect },
  timeout: { group: 'failed', label: t.timedOut },
  tls: { group: 'failed', label: t.noSecureConnection },
  reset: { group: 'failed', label: t.connectionBrokeOff },
  refused_address: { group: 'failed', label: t.addressNotAllowed },
  too_large: { group: 'failed', label: t.tooLarge },
  bad_encoding: { group: 'failed', label: t.couldNotBeDecoded },
  protocol: { group: 'failed', label: t.notUnderstoodAsHTTP },
  unsupported_type: { group: 'failed', label: t.notAReadableKindOfFile },
  redirect_limit: { group: 'failed', label: t.tooManyRedirects },
  redirect_loop: { group: 'failed', label: t.redirectLoop },
  bad_redirect: { group: 'failed', label: t.redirectWithoutTarget },
  unparsable: { group: 'failed', label: t.couldNotBeRead },
  render_failed: { group: 'failed', label: t.couldNotBeRendered },
  proxy: { group: 'failed', label: t.proxyFailed },
  host_dead: { group: 'failed', label: t.hostStoppedAnswering },
  host_busy: { group: 'failed', label: t.hostAskedForFewerRequests },
  retry_after_too_long: { group: 'failed', label: t.askedToWaitTooLong },
  internal: { group: 'failed', label: t.failedInsideTheCrawler },
}

const TRAPS: Record<string, string> = {
  facets: t.tooManyFilters,
  repeat: t.repeatingPath,
  length: t.tooLong,
  same: t.samePageAgainAndAgain,
  host: t.tooManyHosts,
  redirects: t.endlessRedirects,
}

/** The text for an outcome of the API. Null is a URL that is still waiting; an unknown outcome is shown by its name. */
export function outcomeWords(outcome: string | null): Words {
  if (outcome === null) return { group: 'waiting', label: t.waiting }
  if (outcome.startsWith('trap:')) return { group: 'skipped', label: t.looksLikeATrap(TRAPS[outcome.slice(5)] ?? outcome.slice(5)) }
  return OUTCOMES[outcome] ?? { group: 'failed', label: outcome.replaceAll('_', ' ') }
}

export type OutcomeCount = { outcome: string | null; count: number }

export type OutcomeSummary = Record<OutcomeGroup, number> & {
  /** Reasons of failure, most frequent first. */
  reasons: { outcome: string; label: string; count: number }[]
}

/** Counts by group, and failures by reason. */
export function summarise(counts: readonly OutcomeCount[]): OutcomeSummary {
  const summary: OutcomeSummary = { stored: 0, failed: 0, skipped: 0, waiting: 0, reasons: [] }
  for (const { outcome, count } of counts) {
    const { group, label } = outcomeWords(outcome)
    summary[group] += count
    if (group === 'failed' && outcome !== null && count > 0) summary.reasons.push({ outcome, label, count })
  }
  summary.reasons.sort((a, b) => b.count - a.count || a.label.localeCompare(b.label))
  return summary
}

/** Why a crawl ended, as a sentence; '' when the status says it all. A batch follows no links, and its limit is the length of its list. */
export function endReason({ crawl_type, reason }: Pick<CrawlRequest, 'crawl_type' | 'reason'>): string {
  if (crawl_type === 'batch' && (reason === 'drained' || reason === 'page_limit')) return t.everyUrlOfTheListWasTried
  return reason === null ? '' : (REASONS[reason] ?? '')
}

const REASONS: Record<string, string> = {
  drained: t.everyLinkInReachWasFollowed,
  page_limit: t.thePageLimitWasReached,
  time_limit: t.theTimeLimitWasReached,
  byte_limit: t.theSizeLimitWasReached,
  canceled: t.itWasStopped,
  no_start_url: t.theStartUrlCouldNotBe,
  proxy_missing: t.theProxyServerThatItNames,
}
