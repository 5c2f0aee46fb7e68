/** How far the crawl goes: the first tab of its options. The second one is `page-options-form.tsx`. */
import type { Form } from '#web/api/use-form.ts'
import { PathsField } from '#web/runs/shared/paths-field.tsx'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { NumberField, TextField } from '#web/ui/form/field.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import * as t from '#texts/crawl.ts'
import type { FieldName } from './crawl-errors.ts'
import type { CrawlForm } from './crawl-form.ts'

export type CrawlFormProps = { form: Form<CrawlForm, FieldName> }

const NOT_IN_BATCH = t.notAvailableInBatchMode

export function SpiderOptionsForm({ form, maxConcurrency }: CrawlFormProps & { maxConcurrency: number }) {
  const batch = form.values.crawl_type === 'batch'
  const { field } = form.part('spider_options')
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
              <NumberField label={t.maxDepth} {...field('max_depth')} hint={t.linksAwayFromTheStart} placeholder="1" />
              <NumberField label={t.pageLimit} {...field('page_limit')} hint={t.theMostPagesToStore} placeholder="1" />
            </>
          )}
          <NumberField
            label={t.concurrentRequests}
            {...field('concurrent_requests')}
            hint={t.leaveEmptyForAutomatic}
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
              <PathsField which="exclude" {...field('exclude_paths')} />
              <PathsField which="include" {...field('include_paths')} />
              <TagField
                className="sm:col-span-2"
                label={t.allowedDomains}
                help={t.comparedWithTheHostOfThe}
                {...field('allowed_domains')}
                placeholder={t.exampleCom}
                hint={t.leaveEmptyForTheStartDomain}
              />
            </>
          )}
        </div>
      </OptionSection>
      <ProxySection {...field('proxy_server')} />
    </div>
  )
}

/** A setting that a batch determines itself. */
const Auto = ({ label, className }: { label: string; className?: string }) => (
  <TextField label={label} value={t.auto} onChange={() => undefined} disabled hint={NOT_IN_BATCH} {...(className && { className })} />
)
