/** The rules to test: the modules that implement each, and their tests, the fastest first. */
export type Target = { rule: string; modules: readonly string[]; tests: readonly string[] }

export const TARGETS: readonly Target[] = [
  {
    rule: 'frontier',
    modules: ['backend/crawler/frontier/frontier.ts', 'backend/crawler/frontier/pending-urls.ts'],
    tests: ['crawler/frontier/pending-urls', 'crawler/frontier/frontier-state', 'crawler/frontier/hot-set', 'crawler/frontier/frontier'],
  },
  {
    rule: 'politeness',
    modules: ['backend/crawler/frontier/politeness.ts'],
    tests: ['crawler/frontier/politeness', 'crawler/frontier/frontier'],
  },
  { rule: 'robots', modules: ['backend/crawler/robots/robots.ts'], tests: ['crawler/robots/robots', 'crawler/robots/fetch-robots'] },
  { rule: 'scope', modules: ['backend/crawler/url/scope.ts'], tests: ['crawler/url/scope'] },
  { rule: 'canonical URL', modules: ['backend/crawler/url/canonical-url.ts'], tests: ['crawler/url/canonical-url'] },
  {
    rule: 'committer',
    modules: ['backend/crawler/crawl/committer.ts'],
    tests: ['crawler/crawl/committer', 'crawler/crawl/committer-times', 'crawler/frontier/frontier'],
  },
  { rule: 'address guard', modules: ['backend/crawler/fetch/address-guard.ts'], tests: ['crawler/fetch/address-guard'] },
  {
    rule: 'authentication',
    modules: ['backend/http/authenticate.ts', 'backend/accounts/tokens.ts'],
    tests: ['api/http/authenticate', 'api/accounts/tokens', 'api/accounts/sessions', 'api/teams/api-keys'],
  },
  {
    rule: 'credits',
    modules: ['backend/plans/credit-rules.ts', 'backend/plans/credits.ts'],
    tests: ['plans/credit-rules', 'plans/credits'],
  },
  { rule: 'times of schedules', modules: ['backend/schedules/times.ts'], tests: ['schedules/times'] },
  {
    rule: 'comparison',
    modules: ['backend/crawls/crawl-comparison.ts', 'backend/crawls/urls-side-by-side.ts', 'backend/crawls/crawl-changes.ts'],
    tests: ['api/crawls/crawl-comparison', 'api/crawls/crawl-changes'],
  },
  { rule: 'traps', modules: ['backend/crawler/url/traps.ts'], tests: ['crawler/url/traps'] },
  { rule: 'shells', modules: ['backend/crawler/crawl/shell.ts'], tests: ['crawler/crawl/shell'] },
  { rule: 'turns at the browser', modules: ['backend/crawler/crawl/render-queue.ts'], tests: ['crawler/crawl/render-queue'] },
  { rule: 'recurring deletion', modules: ['backend/removal/recurring-removal.ts'], tests: ['removal/recurring-removal'] },
  { rule: 'order of payment events', modules: ['backend/plans/payment/event-order.ts'], tests: ['plans/event-order'] },
  {
    rule: 'translation of Firecrawl',
    modules: ['backend/firecrawl/crawl-spec.ts', 'backend/firecrawl/line-diff.ts', 'backend/firecrawl/schedule-text.ts'],
    tests: ['firecrawl/crawl-spec', 'firecrawl/schedule-text', 'firecrawl/line-diff'],
  },
  { rule: 'forms with files', modules: ['backend/http/multipart.ts'], tests: ['api/http/multipart'] },
  { rule: 'messages about input', modules: ['backend/http/issue-words.ts'], tests: ['api/http/issue-words'] },
  { rule: 'pages of lists', modules: ['backend/http/pagination.ts'], tests: ['api/http/pagination'] },
  { rule: 'time of shares', modules: ['backend/crawler/engine/time-shared-queue.ts'], tests: ['crawler/engine/time-shared-queue'] },
]
