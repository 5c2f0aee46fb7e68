/** The crawl playground: a URL, options, and pages arriving live. */
import { useEffect, useState } from 'react'
import { createBatchCrawl, createCrawl, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { isTerminal } from '#contract/runs.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { AddressedRun, useRunAddress } from '#web/runs/shared/addressed-run.tsx'
import { handedOverTo, useTakenHandOver } from '#web/runs/shared/hand-over.ts'
import type { BatchHandOver } from '#web/runs/shared/batch-hand-over.ts'
import {
  FORM_PARTS,
  LiveResults,
  NotStarted,
  PlaygroundForm,
  PlaygroundTabs,
  StartButton,
  useRunHere,
} from '#web/runs/shared/playground.tsx'
import type { RunHere } from '#web/runs/shared/playground.tsx'
import { RunBar } from '#web/runs/shared/run-bar.tsx'
import { useSteadyView } from '#web/runs/shared/use-steady-view.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { EmptyState, Loading } from '#web/ui/feedback/feedback.tsx'
import { ArrowRightIcon, GlobeIcon, ListIcon, LogsIcon, PlayIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/crawl.ts'
import { checkForm, errorsIn, errorsOf, firstTabWithError, hasErrors } from './crawl-errors.ts'
import type { CrawlErrors, OptionsTab } from './crawl-errors.ts'
import { DEFAULT_FORM, formOf, hasTarget, normalised, startingPoints, withoutChanges } from './crawl-form.ts'
import { differences, requestBody } from './crawl-request.ts'
import type { CrawlForm, CrawlHandOver } from './crawl-form.ts'
import { SpiderOptionsForm } from './crawl-options-form.tsx'
import { crawlSample } from './crawl-sample.ts'
import { CrawlTarget } from './crawl-target.tsx'
import { crawlName, pageLimitOf } from './page-texts.ts'
import { formsIn, isActive, pathOfField, pluginErrors, pluginFaults, valueAt } from './plugin-form.ts'
import type { PluginFieldName, PluginForms } from './plugin-form.ts'
import { PresetMenu } from './preset-menu.tsx'
import { useCrawlBounds } from './use-crawl-bounds.ts'
import { CRAWL, useCrawlProgress } from './use-crawl.ts'

const PluginOptions = lazyPart(async () => (await import('./plugin-options.tsx')).PluginOptions)
const CrawlMeter = lazyPart(async () => (await import('./crawl-meter.tsx')).CrawlMeter)
const DownloadMenu = lazyPart(async () => (await import('./download-menu.tsx')).DownloadMenu, null)
const PageOptionsForm = lazyPart(async () => (await import('./page-options-form.tsx')).PageOptionsForm)
const LivePages = lazyPart(async () => (await import('./live-pages.tsx')).LivePages)

type Tab = 'spider' | 'page' | 'plugin' | 'code' | 'results'

const START = { start: t.startCrawling, starting: t.starting, icon: PlayIcon }

export function CrawlScreen() {
  useTakenHandOver('crawl')
  const address = useRunAddress()
  const asked = useEndpoint(getCrawl, address.runId === null ? null : { params: { id: address.runId } })
  return (
    <AddressedRun key={address.visit} address={address} asked={asked} base={CRAWL}>
      {(run, onStart) => <Playground started={run} onStart={onStart} />}
    </AddressedRun>
  )
}

/** With more pages, a reload or a link does not embed their documents again: the reader fetches each. */
const MOST_EMBEDDED = 500

type PlaygroundProps = {
  /** The crawl in the URL: started here, or opened again. */
  started: CrawlRequest | null
  onStart: (crawl: CrawlRequest) => void
}

function Playground({ started, onStart }: PlaygroundProps) {
  const [form, setForm] = useState<CrawlForm>(() => handedOver() ?? (started === null ? DEFAULT_FORM : formOf(started)))
  const [errors, setErrors] = useState<CrawlErrors>({})
  const [tab, setTab] = useState<Tab>(started === null ? 'spider' : 'results')
  const [documents, setDocuments] = useState(started === null || started.number_of_documents <= MOST_EMBEDDED)
  // The screen does not wait for them. They arrive before the crawl is started, or it is refused for a plugin's option.
  useEffect(() => {
    for (const part of [CrawlMeter, DownloadMenu, LivePages, PageOptionsForm, PluginOptions]) part.load().catch(() => undefined)
  }, [])
  const settings = useEndpoint(getSettings).data
  const plugins = useEndpoint(getPluginsSchema)
  const forms = plugins.data ? formsIn(plugins.data) : NO_FORMS
  const maxConcurrency = settings?.max_crawl_concurrency ?? 16
  const isRenderingConfigured = settings?.is_rendering_configured ?? false
  const single = useAction(createCrawl, { refreshes: [listCrawls] })
  const batch = useAction(createBatchCrawl, { refreshes: [listCrawls] })
  const progress = useCrawlProgress(started?.uuid ?? null, { documents })
  const crawl = useNewest(started, progress.job)
  const here = useRunHere(CRAWL, crawl)
  const busy = single.busy || batch.busy
  const head = useSteadyView(here.running)
  const points = startingPoints(useCrawlBounds())

  const change = (changes: Partial<CrawlForm>) => {
    setForm({ ...form, ...changes })
    setErrors(changes.crawl_type ? {} : withoutCorrected(errors, form, changes))
  }
  /** Applies a preset's options; the URLs stay. */
  const apply = (preset: CrawlPreset) => {
    const { spider_options, page_options, plugin_options } = formOf({ urls: [], crawl_type: 'single', options: preset.options })
    setForm({ ...form, spider_options, page_options, plugin_options })
    setErrors({})
  }
  /** The errors by the plugins' schemas, at once; untouched required fields are only reported when the form is sent. */
  const judged = (values: CrawlForm, all: boolean): CrawlErrors => pluginErrors(forms, pluginFaults(forms, values.plugin_options, { all }))
  const shownErrors = { ...errors, ...judged(form, false) }
  const show = (found: CrawlErrors) => {
    setErrors(found)
    const first = firstTabWithError(found)
    if (first) setTab(first)
    focusFirstError()
  }
  const start = async () => {
    if (busy || here.running) return
    const wished = normalised(form)
    setForm(wished)
    if (!hasTarget(wished)) {
      toast.error(t.pleaseEnterAURLOrURLs)
      return
    }
    const found = { ...checkForm(wished, { maxConcurrency }), ...judged(wished, true) }
    if (hasErrors(found)) return show(found)
    const body = requestBody(wished, isRenderingConfigured, forms)
    const outcome = body.urls !== undefined ? await batch.run({ body }) : await single.run({ body })
    if (!outcome.ok) {
      toast.error(outcome.error.message)
      return show(errorsOf(outcome.error.body, forms))
    }
    setErrors({})
    setDocuments(true)
    onStart(outcome.answer)
    setTab('results')
    window.scrollTo({ top: 0 })
  }

  const differing = differences(form, isRenderingConfigured, forms)
  return (
    <PlaygroundForm base={CRAWL} here={here} texts={START} busy={busy} onSubmit={() => void start()}>
      <div ref={head} className={FORM_PARTS}>
        {here.running && crawl ? (
          <>
            <h1 className="sr-only">{CRAWL.words.title}</h1>
            <RunningBar crawl={crawl} here={here} onOptions={() => setTab('spider')} />
          </>
        ) : (
          <>
            <PageHeader title={CRAWL.words.title} description={t.followTheLinksOfASite}>
              <ButtonLink href={pathTo('crawlLogs')} icon={LogsIcon}>
                {t.pastCrawls}
              </ButtonLink>
            </PageHeader>
            <CrawlTarget
              form={form}
              onChange={change}
              error={errors.target}
              differences={differing}
              onReset={() => {
                setForm(withoutChanges(form))
                setErrors({})
              }}
              start={<StartButton texts={START} busy={busy} />}
              points={points}
              presets={<PresetMenu form={form} isRenderingConfigured={isRenderingConfigured} plugins={forms} onApply={apply} />}
            />
          </>
        )}
      </div>
      <NotStarted noun={CRAWL.noun} reason={errors.form} />
      {crawl && <CrawlMeter crawl={crawl} stored={progress.results.length} connection={progress.connection} />}
      <PlaygroundTabs
        name="crawl"
        label={t.crawl}
        value={tab}
        onChange={setTab}
        options={[
          {
            ...optionsTab('spider', t.spiderOptions, shownErrors, differing),
            content: <SpiderOptionsForm form={form} onChange={change} errors={errors} maxConcurrency={maxConcurrency} />,
          },
          {
            ...optionsTab('page', t.pageOptions, shownErrors, differing),
            content: <PageOptionsForm form={form} onChange={change} errors={errors} isRenderingConfigured={isRenderingConfigured} />,
          },
          {
            ...optionsTab('plugin', t.pluginOptions, shownErrors, differing),
            content: (
              <PluginOptions
                forms={plugins.data ? forms : null}
                fault={plugins.error}
                onRetry={() => void plugins.mutate()}
                values={form.plugin_options}
                onChange={(plugin_options) => change({ plugin_options })}
                errors={shownErrors}
              />
            ),
          },
        ]}
        body={hasTarget(form) ? requestBody(normalised(form), isRenderingConfigured, forms) : null}
        sample={crawlSample({ batch: form.crawl_type === 'batch' })}
        noSample={t.enterAURLAndConfigureOptions}
        count={progress.results.length}
        results={
          <LiveResults
            base={CRAWL}
            run={crawl}
            progress={progress}
            running={here.running}
            before={{ title: t.noResultsYet, text: t.enterAnAddressAndStartCrawling }}
            silent={t.theCrawlerHasSaidNothingYet}
          >
            {(run) => (
              <LivePages
                key={run.uuid}
                runId={run.uuid}
                rows={progress.results}
                limit={pageLimitOf(run)}
                running={here.running}
                download={<DownloadMenu crawl={run} look="button" size="small" />}
                empty={<NoPages running={here.running} crawl={run} />}
              />
            )}
          </LiveResults>
        }
      />
    </PlaygroundForm>
  )
}

/** The form handed over by the details of a crawl, by the palette, or as a list of URLs. */
function handedOver(): CrawlForm | null {
  const given = handedOverTo<CrawlForm | CrawlHandOver | BatchHandOver>('crawl')
  if (given === null || 'spider_options' in given) return given
  return 'options' in given ? formOf(given) : { ...DEFAULT_FORM, crawl_type: 'batch', urls: given.urls.join('\n') }
}

/** Counts go on between two states of the stream, so they are requested every second while it runs. */
function useNewest(started: CrawlRequest | null, followed: CrawlRequest | null): CrawlRequest | null {
  const known = followed ?? started
  const ended = known !== null && isTerminal(known.status)
  const asked = useEndpoint(getCrawl, started === null ? null : { params: { id: started.uuid } }, { refreshInterval: ended ? 0 : 1000 })
  return ended ? known : (asked.data ?? known)
}

type RunningBarProps = { crawl: CrawlRequest; here: RunHere; onOptions: () => void }

function RunningBar({ crawl, here, onOptions }: RunningBarProps) {
  const { more } = crawlName(crawl)
  const depth = crawl.options.spider_options['max_depth']
  const isBatch = crawl.crawl_type === 'batch'
  return (
    <RunBar
      icon={isBatch ? ListIcon : GlobeIcon}
      title={
        <>
          {crawl.url} {more > 0 && <span className="font-normal text-faint">+{t.more(more)}</span>}
        </>
      }
      hint={crawl.url ?? undefined}
      facts={
        isBatch ? [t.uRLs(crawl.urls.length)] : [t.singleURL, typeof depth === 'number' ? t.depth(depth) : '', t.limit(pageLimitOf(crawl))]
      }
      onOptions={onOptions}
      base={CRAWL}
      run={crawl}
      here={here}
    />
  )
}

function NoPages({ running, crawl }: { running: boolean; crawl: CrawlRequest }) {
  if (running) return <Loading>{crawl.status === 'new' ? t.waitingForAFreeCrawler : t.workingTheFirstPagesAreOn}</Loading>
  return (
    <EmptyState
      net="plain"
      title={crawl.status === 'failed' ? t.noPageCouldBeFetched : t.noPagesWereStored}
      action={
        <ButtonLink href={pathTo('crawlDetails', { requestId: crawl.uuid })} icon={ArrowRightIcon}>
          {t.seeWhatHappenedToEachAddress}
        </ButtonLink>
      }
    >
      {t.theEngineFeedbackSaysWhyThe}
    </EmptyState>
  )
}

const NO_FORMS: PluginForms = {}

function optionsTab(id: OptionsTab, label: string, errors: CrawlErrors, differing: ReturnType<typeof differences>) {
  const wrong = errorsIn(errors, id)
  return {
    id,
    label,
    count: differing.filter((one) => one.tab === id).length,
    ...(wrong > 0 && { warning: wrong === 1 ? t.oneFieldIsWrong : t.fieldsAreWrong(wrong) }),
  }
}

/** Drops the errors of controls that were changed. */
function withoutCorrected(errors: CrawlErrors, form: CrawlForm, changes: Partial<CrawlForm>): CrawlErrors {
  const touched = (group: 'spider_options' | 'page_options', field: string) => {
    const next: Record<string, unknown> | undefined = changes[group]
    const before: Record<string, unknown> = form[group]
    return next !== undefined && next[field] !== before[field]
  }
  return Object.fromEntries(
    Object.entries(errors).filter(([name]) => {
      if (name === 'form') return false
      if (name === 'target') return changes.url === undefined && changes.urls === undefined
      if (name.startsWith('plugin_options.')) return !isReworked(name as PluginFieldName, form, changes)
      const [group = '', field = ''] = name.split('.')
      return group !== 'spider_options' && group !== 'page_options' ? true : !touched(group, field)
    }),
  )
}

/** Whether a plugin's value has changed, or the plugin was switched off. */
function isReworked(name: PluginFieldName, form: CrawlForm, { plugin_options: next }: Partial<CrawlForm>): boolean {
  const path = pathOfField(name)
  const isOff = (values: CrawlForm['plugin_options']) => !isActive(values, path[0] ?? '')
  return next !== undefined && (isOff(next) || valueAt(next, path) !== valueAt(form.plugin_options, path))
}

/** Focuses the first invalid control once it is rendered. */
function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus())
}
