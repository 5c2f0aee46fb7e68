/** In place of the pages of a crawl: what is being waited for, or that the crawl stored none. */
import type { ReactNode } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { EmptyState, Loading } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/crawl-rows.ts'

type NoPagesProps = {
  crawl: CrawlRequest
  /** The stream has sent all pages. Until then, those of a crawl that has ended are still to come. */
  isComplete: boolean
  /** A button that leads to the URLs of the crawl. */
  action: ReactNode
}

export function NoPages({ crawl: { number_of_documents, status }, isComplete, action }: NoPagesProps) {
  if (!isComplete && number_of_documents > 0) return <Loading>{t.loadingThePages}</Loading>
  if (!isTerminal(status)) return <Loading>{status === 'new' ? t.waitingForAFreeCrawler : t.runningNoPageYet}</Loading>
  return (
    <EmptyState net="plain" title={status === 'failed' ? t.noPageCouldBeFetched : t.noPagesWereStored} action={action}>
      {t.nothingOfThisCrawlWasKept}
    </EmptyState>
  )
}
