/** Places that this version names and does not have yet: what they are for, and the way to what there is. */
import { PATHS } from '#web/navigation.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback.tsx'
import { CrawlIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const PLACES = {
  search: { title: 'Search', purpose: 'Ask the web or the pages that this team has crawled.' },
  searchLogs: { title: 'Search History', purpose: 'Every search of this team, with its results.' },
  apiReference: { title: 'API Reference', purpose: 'Every call that a program can make with an API key.' },
}

export function SoonScreen({ place }: { place: keyof typeof PLACES }) {
  const { title, purpose } = PLACES[place]
  return (
    <>
      <PageHeader title={title} description={purpose} />
      <Card>
        <EmptyState
          net="plain"
          title="Not available in this version"
          action={
            <ButtonLink look="primary" icon={CrawlIcon} href={PATHS.crawl}>
              Start crawling
            </ButtonLink>
          }
        >
          {title} comes with a later version. Crawls work today.
        </EmptyState>
      </Card>
    </>
  )
}
