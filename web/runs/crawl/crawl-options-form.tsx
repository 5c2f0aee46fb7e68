/** How far the crawl goes: the first tab of its options. The second one is `page-options-form.tsx`. */
import { PathsField } from '#web/runs/shared/paths-field.tsx'
import { tieFields } from '#web/runs/shared/tie-fields.ts'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { NumberField, TextField } from '#web/ui/form/field.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import * as t from '#texts/crawl.ts'
import type { CrawlErrors } from './crawl-errors.ts'
import type { CrawlForm, SpiderFields } from './crawl-form.ts'

export type CrawlOptionsProps = { form: CrawlForm; onChange: (change: Partial<CrawlForm>) => void; errors: CrawlErrors }

const NOT_IN_BATCH = t.notAvailableInBatchMode

export function SpiderOptionsForm({ form, onChange, errors, maxConcurrency }: CrawlOptionsProps & { maxConcurrency: number }) {
  const batch = form.crawl_type === 'batch'
  const { spider_options: values } = form
  const set = (change: Partial<SpiderFields>) => onChange({ spider_options: { ...values, ...change } })
  const tie = tieFields(values, set, (name) => errors[`spider_options.${name}`])
  return (
    <div>
      <OptionSection title={t.crawlerSettings} description={t.howFarTheCrawlGoesAnd}>
        <div className="grid gap-4 sm:grid-cols-3">
          {batch ? (
            <>
              <Auto label={t.maxDepth} />
              <Auto label={t.pageLimit} />
            </>
          ) : (
            <>
              <NumberField label={t.maxDepth} {...tie.value('max_depth')} hint={t.linksAwayFromTheStart} placeholder="1" />
              <NumberField label={t.pageLimit} {...tie.value('page_limit')} hint={t.theMostPagesToStore} placeholder="1" />
            </>
          )}
          <NumberField
            label={t.concurrentRequests}
            {...tie.value('concurrent_requests')}
            hint={t.emptyAdaptsToTheSite}
            placeholder={t.automaticUpTo(maxConcurrency)}
          />
        </div>
      </OptionSection>
      <OptionSection title={t.pathFilters} description={<>{t.pathsMayUseForAnyText}</>}>
        <div className="grid gap-4 sm:grid-cols-2">
          {batch ? (
            <>
              <Auto label={t.excludePaths} />
              <Auto label={t.includePaths} />
              <Auto label={t.allowedDomains} className="sm:col-span-2" />
            </>
          ) : (
            <>
              <PathsField which="exclude" {...tie.values('exclude_paths')} />
              <PathsField which="include" {...tie.values('include_paths')} />
              <TagField
                className="sm:col-span-2"
                label={t.allowedDomains}
                help={t.comparedWithTheHostOfThe}
                {...tie.values('allowed_domains')}
                placeholder={t.exampleCom}
                hint={t.emptyMeansTheStartsOwnDomain}
              />
            </>
          )}
        </div>
      </OptionSection>
      <ProxySection {...tie.value('proxy_server')} />
    </div>
  )
}

/** A setting that a batch determines itself. */
const Auto = ({ label, className }: { label: string; className?: string }) => (
  <TextField label={label} value={t.auto} onChange={() => undefined} disabled hint={NOT_IN_BATCH} {...(className && { className })} />
)
