/** The limits that the team's plan sets for its crawls. */
import { getCurrentSubscription } from '#contract/plans.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import type { CrawlBounds } from './crawl-form.ts'

export function useCrawlBounds(): CrawlBounds {
  const { data } = useEndpoint(getCurrentSubscription, useIsEnterprise() ? {} : null)
  return { max_depth: bound(data?.max_depth), page_limit: bound(data?.crawl_max_limit) }
}

/** -1 in a plan means no limit. */
const bound = (limit: number | undefined) => (limit === undefined || limit < 0 ? undefined : limit)
