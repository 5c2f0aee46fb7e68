/** The crawl playground: a URL, options, and pages arriving live. */
import { useEffect, useState } from 'react'
import { getCrawl } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { RunOfUrl, useRunInUrl } from '#web/runs/shared/run-in-url.tsx'
import { useClearHandOver } from '#web/runs/shared/hand-over.ts'
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
import { GlobeIcon, ListIcon, LogsIcon, PlayIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/crawl.ts'
import { errorsIn } from './crawl-errors.ts'
import type { OptionsTab } from './crawl-errors.ts'
import { hasTarget, startingPoints } from './crawl-form.ts'
import { SpiderOptionsForm } from './crawl-options-form.tsx'
import { crawlSample } from './crawl-sample.ts'
import { CrawlTarget } from './crawl-target.tsx'
import { crawlName, pageLimitOf } from './page-texts.ts'
import { PresetMenu } from './preset-menu.tsx'
import { useCrawlBounds } from './use-crawl-bounds.ts'
import { useCrawlForm } from './use-crawl-form.ts'
import type { NewCrawl } from './use-crawl-form.ts'
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
  const next = useCrawlForm({
    started,
    onError: setTab,
    onStart: (crawl) => {
      setDocuments(true)
      onStart(crawl)
      setTab('results')
      window.scrollTo({ top: 0 })
    },
  })
  const { form } = next
  const progress = useCrawlProgress(started?.uuid ?? null, { documents })
  const crawl = useNewest(started, progress.job)
  const here = useRunHere(CRAWL, crawl)
  const head = useSteadyView(here.running)
  return (
    <PlaygroundForm
      box={form.form}
      base={CRAWL}
      here={here}
      texts={START}
      busy={next.busy}
      missing={hasTarget(form.values) ? null : t.pleaseEnterAURLOrURLs}
      onSubmit={next.submit}
    >
      <div ref={head} className={FORM_PARTS}>
        {here.running && crawl ? <Running crawl={crawl} here={here} onOptions={() => setTab('spider')} /> : <Target next={next} />}
      </div>
      <NotStarted noun={CRAWL.noun} reason={form.refusal && form.shown('form')} />
      {crawl && <CrawlMeter crawl={crawl} stored={progress.results.length} connection={progress.connection} />}
      <PlaygroundTabs
        name="crawl"
        label={t.crawl}
        value={tab}
        onChange={setTab}
        options={optionsTabs(next)}
        body={next.body}
        sample={crawlSample({ batch: form.values.crawl_type === 'batch' })}
        noSample={t.enterAURLAndConfigureOptions}
        count={progress.results.length}
        results={<Results crawl={crawl} progress={progress} running={here.running} />}
      />
    </PlaygroundForm>
  )
}

/** Before a crawl: the heading, and where it starts. */
function Target({ next }: { next: NewCrawl }) {
  const { busy, differing, form, isRenderingConfigured, plugins } = next
  const points = startingPoints(useCrawlBounds())
  return (
    <>
      <PageHeader title={CRAWL.words.title} description={t.followTheLinksOfASite}>
        <ButtonLink href={pathTo('crawlLogs')} icon={LogsIcon}>
          {t.pastCrawls}
        </ButtonLink>
      </PageHeader>
      <CrawlTarget
        form={form}
        differences={differing}
        onReset={next.reset}
        start={<StartButton texts={START} busy={busy} />}
        points={points}
        presets={<PresetMenu form={form.values} isRenderingConfigured={isRenderingConfigured} plugins={plugins} onApply={next.apply} />}
      />
    </>
  )
}

function optionsTabs(next: NewCrawl) {
  const { form, isRenderingConfigured, maxConcurrency, plugins, schema } = next
  return [
    { ...optionsTab('spider', t.spiderOptions, next), content: <SpiderOptionsForm form={form} maxConcurrency={maxConcurrency} /> },
    {
      ...optionsTab('page', t.pageOptions, next),
      content: <PageOptionsForm form={form} isRenderingConfigured={isRenderingConfigured} />,
    },
    {
      ...optionsTab('plugin', t.pluginOptions, next),
      content: (
        <PluginOptions
          forms={schema.data ? plugins : null}
          fault={schema.error}
          onRetry={() => void schema.mutate()}
          values={form.values.plugin_options}
          onChange={next.setPlugins}
          errors={form.shownErrors}
        />
      ),
    },
  ]
}

function optionsTab<Id extends OptionsTab>(id: Id, label: string, { differing, form }: NewCrawl) {
  const wrong = errorsIn(form.shownErrors, id)
  return {
    id,
    label,
    count: differing.filter((one) => one.tab === id).length,
    ...(wrong > 0 && { warning: wrong === 1 ? t.oneFieldIsWrong : t.fieldsAreWrong(wrong) }),
  }
}

type ResultsProps = { crawl: CrawlRequest | null; progress: ReturnType<typeof useCrawlProgress>; running: boolean }

function Results({ crawl, progress, running }: ResultsProps) {
  return (
    <LiveResults
      run={crawl}
      progress={progress}
      running={running}
      before={{ title: t.noResultsYet, text: t.enterAUrlAndStartCrawling }}
      silent={t.theCrawlerHasSaidNothingYet}
    >
      {(run) => (
        <LivePages
          key={run.uuid}
          crawl={run}
          rows={progress.results}
          limit={pageLimitOf(run)}
          running={running}
          download={<DownloadMenu crawl={run} look="button" size="small" />}
          isComplete={progress.ended}
        />
      )}
    </LiveResults>
  )
}

/** The newest state. The counts change between two states of the stream, so they are requested every second while the crawl runs. */
function useNewest(started: CrawlRequest | null, followed: CrawlRequest | null): CrawlRequest | null {
  const known = followed ?? started
  const ended = known !== null && isTerminal(known.status)
  const asked = useEndpoint(getCrawl, started === null ? null : { params: { id: started.uuid } }, { refreshInterval: ended ? 0 : 1000 })
  return ended ? known : (asked.data ?? known)
}

type RunningProps = { crawl: CrawlRequest; here: RunHere; onOptions: () => void }

/** While the crawl runs: what it crawls, and how to cancel it. */
function Running({ crawl, here, onOptions }: RunningProps) {
  const { more } = crawlName(crawl)
  const depth = crawl.options.spider_options['max_depth']
  const isBatch = crawl.crawl_type === 'batch'
  return (
    <>
      <h1 className="sr-only">{CRAWL.words.title}</h1>
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
        here={here}
      />
    </>
  )
}
