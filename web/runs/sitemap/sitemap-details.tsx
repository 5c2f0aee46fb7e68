/** One sitemap: its results and its request. */
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { BESIDE_ASIDE, RunAside, RunHeader, useFollowed } from '#web/runs/shared/run-details.tsx'
import type { RunDetailsProps } from '#web/runs/shared/run-details.tsx'
import { RunInformation, countFacts, statusFact, urlFact } from '#web/runs/shared/run-information.tsx'
import * as t from '#texts/sitemap.ts'
import { SitemapDisplay } from './sitemap-display.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { formOf } from './sitemap-form.ts'
import { SITEMAP, useSitemapProgress } from './use-sitemap.ts'

export function SitemapDetails({ run, back, remove }: RunDetailsProps<SitemapRequest>) {
  const followed = useFollowed(run)
  const progress = useSitemapProgress(followed.isFollowed || run.status === 'failed' ? run.uuid : null)
  return (
    <>
      <RunHeader
        base={SITEMAP}
        run={run}
        back={back}
        remove={remove}
        title={run.url}
        form={formOf(run)}
        actions={<SitemapDownloads sitemap={run} look="button" />}
      />
      <div className={BESIDE_ASIDE}>
        <SitemapDisplay sitemap={run} reason={lastFault(progress.feed)} />
        <RunAside base={SITEMAP} followed={followed} progress={progress}>
          <RunInformation
            title={t.details}
            runId={run.uuid}
            parameters={run.options}
            facts={[statusFact(run), urlFact('URL', run.url), ...countFacts(run, t.urlsFound)]}
          />
        </RunAside>
      </div>
    </>
  )
}
