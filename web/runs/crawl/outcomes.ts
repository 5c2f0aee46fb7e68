/** How a URL of a crawl ended, in words, and what that means: stored, failed, skipped by a rule, or still waiting. Pure. */

export type OutcomeGroup = 'stored' | 'failed' | 'skipped' | 'waiting'

type Words = { group: OutcomeGroup; label: string }

const OUTCOMES: Record<string, Words> = {
  kept: { group: 'stored', label: 'Stored' },
  duplicate: { group: 'skipped', label: 'Same page under another address' },
  redirected: { group: 'skipped', label: 'Redirected to another page' },
  out_of_scope: { group: 'skipped', label: 'Out of scope' },
  document_type: { group: 'skipped', label: 'A kind of document that is not kept' },
  robots: { group: 'skipped', label: 'Forbidden by robots.txt' },
  depth: { group: 'skipped', label: 'Deeper than the limit' },
  limit: { group: 'skipped', label: 'Over the page limit' },
  canceled: { group: 'skipped', label: 'Not fetched, the crawl was canceled' },
  robots_unreachable: { group: 'failed', label: 'robots.txt could not be read' },
  status: { group: 'failed', label: 'Answered with an error status' },
  dns: { group: 'failed', label: 'Name not found' },
  connect: { group: 'failed', label: 'Could not connect' },
  timeout: { group: 'failed', label: 'Timed out' },
  tls: { group: 'failed', label: 'No secure connection' },
  reset: { group: 'failed', label: 'Connection broke off' },
  refused_address: { group: 'failed', label: 'Address not allowed' },
  too_large: { group: 'failed', label: 'Too large' },
  bad_encoding: { group: 'failed', label: 'Could not be decoded' },
  protocol: { group: 'failed', label: 'Not understood as HTTP' },
  unsupported_type: { group: 'failed', label: 'Not a readable kind of file' },
  redirect_limit: { group: 'failed', label: 'Too many redirects' },
  redirect_loop: { group: 'failed', label: 'Redirects in a circle' },
  bad_redirect: { group: 'failed', label: 'Redirect that leads nowhere' },
  unparsable: { group: 'failed', label: 'Could not be read' },
  render_failed: { group: 'failed', label: 'Could not be rendered' },
  proxy: { group: 'failed', label: 'Proxy failed' },
  host_dead: { group: 'failed', label: 'Host stopped answering' },
  host_busy: { group: 'failed', label: 'Host asked for fewer requests' },
  retry_after_too_long: { group: 'failed', label: 'Asked to wait too long' },
  internal: { group: 'failed', label: 'Failed inside the crawler' },
}

const TRAPS: Record<string, string> = {
  pattern: 'endless pattern',
  facets: 'too many filters',
  repeat: 'repeating path',
  length: 'too long',
  same: 'same page again and again',
  host: 'too many hosts',
}

/** Words for an outcome as on the wire; null is a URL that still waits, an unknown one is shown as it is named. */
export function outcomeWords(outcome: string | null): Words {
  if (outcome === null) return { group: 'waiting', label: 'Waiting' }
  if (outcome.startsWith('trap:')) return { group: 'skipped', label: `Looks like a trap: ${TRAPS[outcome.slice(5)] ?? outcome.slice(5)}` }
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

/** Why a crawl ended, as a sentence; '' where the status says it all. */
export function endReason(reason: string | null): string {
  return reason === null ? '' : (REASONS[reason] ?? '')
}

const REASONS: Record<string, string> = {
  drained: 'Every link in reach was followed.',
  page_limit: 'The page limit was reached.',
  time_limit: 'The time limit was reached.',
  byte_limit: 'The size limit was reached.',
  canceled: 'It was stopped; what was stored is kept.',
  no_start_url: 'The start address could not be fetched.',
  proxy_missing: 'The proxy server that it names no longer exists.',
}
