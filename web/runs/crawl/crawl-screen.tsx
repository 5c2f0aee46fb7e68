/** The crawl playground: a URL, options, and pages arriving live. */
import { useEffect, useState } from 'react'
import { createBatchCrawl, createCrawl, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { isTerminal } from '#contract/runs.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import type { FormErrors } from '#web/api/use-form.ts'
import { pathTo } from '#web/navigation.ts'
import { RunOfUrl, useRunInUrl } from '#web/runs/shared/run-in-url.tsx'
import { handedOverTo, useClearHandOver } from '#web/runs/shared/hand-over.ts'
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
import { checkForm, errorsIn, errorsOf, firstTabWithError, isPluginField } from './crawl-errors.ts'
import type { FieldName, OptionsTab } from './crawl-errors.ts'
import { DEFAULT_FORM, formOf, hasTarget, normalised, startingPoints, withoutChanges } from './crawl-form.ts'
import { differences, requestBody } from './crawl-request.ts'
import type { CrawlForm, CrawlHandOver } from './crawl-form.ts'
import { SpiderOptionsForm } from './crawl-options-form.tsx'
import { crawlSample } from './crawl-sample.ts'
import { CrawlTarget } from './crawl-target.tsx'
import { crawlName, pageLimitOf } from './page-texts.ts'
import { formsIn, isActive, pathOfField, pluginErrors, pluginFaults, valueAt } from './plugin-form.ts'
import type { PluginForms, PluginValues } from './plugin-form.ts'
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
  useClearHandOver('crawl')
  const place = useRunInUrl()
  const asked = useEndpoint(getCrawl, place.runId === null ? null : { params: { id: place.runId } })
  return (
    <RunOfUrl key={place.visit} place={place} asked={asked} base={CRAWL}>
      {(run, onStart) => <Playground started={run} onStart={onStart} />}
    </RunOfUrl>
  )
}

/** If the crawl in the URL has more pages, its stream embeds no documents: the reader fetches each one when it is opened. */
const MOST_EMBEDDED = 500

type PlaygroundProps = {
  /** The crawl in the URL: started here, or opened again. */
  started: CrawlRequest | null
  onStart: (crawl: CrawlRequest) => void
}

function Playground({ started, onStart }: PlaygroundProps) {
  const [tab, setTab] = useState<Tab>(started === null ? 'spider' : 'results')
  const [documents, setDocuments] = useState(started === null || started.number_of_documents <= MOST_EMBEDDED)
  // Load these parts early, without waiting: they are needed when the crawl starts, or when the server refuses a plugin's option.
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

  /** The errors by the plugins' schemas. Untouched required fields count only with `all`, when the form is sent. */
  const pluginErrorsOf = ({ plugin_options }: CrawlForm, all: boolean) => pluginErrors(forms, pluginFaults(forms, plugin_options, { all }))
  const form = useForm<CrawlForm, FieldName>({
    initial: () => handedOver(maxConcurrency) ?? (started === null ? DEFAULT_FORM : formOf(started, maxConcurrency)),
    judge: (entered) => ({ ...checkForm(normalised(entered), { maxConcurrency }), ...pluginErrorsOf(entered, true) }),
    atOnce: (entered) => pluginErrorsOf(entered, false),
    submissions: [single, batch],
    serverErrors: (body) => errorsOf(body, forms),
    opens: (wrong) => setTab((shown) => firstTabWithError(wrong) ?? shown),
  })
  const { values } = form

  /** Applies a preset's options; the URLs stay. */
  const apply = (preset: CrawlPreset) => {
    const { spider_options, page_options, plugin_options } = formOf({ urls: [], crawl_type: 'single', options: preset.options })
    form.restart({ ...values, spider_options, page_options, plugin_options })
  }
  const send = async () => {
    const body = requestBody(normalised(values), isRenderingConfigured, forms)
    const outcome = body.urls !== undefined ? await batch.run({ body }) : await single.run({ body })
    if (!outcome.ok) return toast.error(outcome.error.message)
    setDocuments(true)
    onStart(outcome.answer)
    setTab('results')
    window.scrollTo({ top: 0 })
  }
  const submit = () => {
    const { url, urls } = normalised(values)
    form.set({ url, urls }, ['target'])
    form.attempt(() => void send())
  }

  const differing = differences(values, isRenderingConfigured, forms)
  return (
    <PlaygroundForm
      box={form.form}
      base={CRAWL}
      here={here}
      texts={START}
      busy={busy}
      missing={hasTarget(values) ? null : t.pleaseEnterAURLOrURLs}
      onSubmit={submit}
    >
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
              differences={differing}
              onReset={() => form.restart(withoutChanges(values))}
              start={<StartButton texts={START} busy={busy} />}
              points={points}
              presets={<PresetMenu form={values} isRenderingConfigured={isRenderingConfigured} plugins={forms} onApply={apply} />}
            />
          </>
        )}
      </div>
      <NotStarted noun={CRAWL.noun} reason={form.refusal && form.shown('form')} />
      {crawl && <CrawlMeter crawl={crawl} stored={progress.results.length} connection={progress.connection} />}
      <PlaygroundTabs
        name="crawl"
        label={t.crawl}
        value={tab}
        onChange={setTab}
        options={[
          {
            ...optionsTab('spider', t.spiderOptions, form.shownErrors, differing),
            content: <SpiderOptionsForm form={form} maxConcurrency={maxConcurrency} />,
          },
          {
            ...optionsTab('page', t.pageOptions, form.shownErrors, differing),
            content: <PageOptionsForm form={form} isRenderingConfigured={isRenderingConfigured} />,
          },
          {
            ...optionsTab('plugin', t.pluginOptions, form.shownErrors, differing),
            content: (
              <PluginOptions
                forms={plugins.data ? forms : null}
                fault={plugins.error}
                onRetry={() => void plugins.mutate()}
                values={values.plugin_options}
                onChange={(plugin_options) =>
                  form.set({ plugin_options }, changedPluginFields(form.shownErrors, values.plugin_options, plugin_options))
                }
                errors={form.shownErrors}
              />
            ),
          },
        ]}
        body={hasTarget(values) ? requestBody(normalised(values), isRenderingConfigured, forms) : null}
        sample={crawlSample({ batch: values.crawl_type === 'batch' })}
        noSample={t.enterAURLAndConfigureOptions}
        count={progress.results.length}
        results={
          <LiveResults
            base={CRAWL}
            run={crawl}
            progress={progress}
            running={here.running}
            before={{ title: t.noResultsYet, text: t.enterAUrlAndStartCrawling }}
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
function handedOver(automatic: number): CrawlForm | null {
  const given = handedOverTo<CrawlForm | CrawlHandOver | BatchHandOver>('crawl')
  if (given === null || 'spider_options' in given) return given
  return 'options' in given ? formOf(given, automatic) : { ...DEFAULT_FORM, crawl_type: 'batch', urls: given.urls.join('\n') }
}

/** The newest state. The counts change between two states of the stream, so they are requested every second while the crawl runs. */
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
        isBatch
          ? [t.urlCount(crawl.urls.length)]
          : [t.singleURL, typeof depth === 'number' ? t.depth(depth) : '', t.limit(pageLimitOf(crawl))]
      }
      onOptions={onOptions}
      base={CRAWL}
      run={crawl}
      here={here}
    />
  )
}

function NoPages({ running, crawl }: { running: boolean; crawl: CrawlRequest }) {
  if (running) return <Loading>{crawl.status === 'new' ? t.waitingForAFreeCrawler : t.runningNoPageYet}</Loading>
  return (
    <EmptyState
      net="plain"
      title={crawl.status === 'failed' ? t.noPageCouldBeFetched : t.noPagesWereStored}
      action={
        <ButtonLink href={pathTo('crawlDetails', { requestId: crawl.uuid })} icon={ArrowRightIcon}>
          {t.seeWhatHappenedToEachUrl}
        </ButtonLink>
      }
    >
      {t.theEngineFeedbackSaysWhyThe}
    </EmptyState>
  )
}

const NO_FORMS: PluginForms = {}

function optionsTab(id: OptionsTab, label: string, errors: FormErrors, differing: ReturnType<typeof differences>) {
  const wrong = errorsIn(errors, id)
  return {
    id,
    label,
    count: differing.filter((one) => one.tab === id).length,
    ...(wrong > 0 && { warning: wrong === 1 ? t.oneFieldIsWrong : t.fieldsAreWrong(wrong) }),
  }
}

/** The plugin fields with an error whose value has changed, or whose plugin was switched off. */
const changedPluginFields = (errors: FormErrors, before: PluginValues, next: PluginValues): string[] =>
  Object.keys(errors)
    .filter(isPluginField)
    .filter((name) => {
      const path = pathOfField(name)
      return !isActive(next, path[0] ?? '') || valueAt(next, path) !== valueAt(before, path)
    })
