/** The sitemap playground: a URL, options, and all URLs of the site. */
import { useState } from 'react'
import { createSitemap, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { pathTo } from '#web/navigation.ts'
import { withScheme } from '#web/runs/shared/target-url.ts'
import { useDraft } from '#web/runs/shared/use-draft.ts'
import { RunOfUrl, useRunInUrl } from '#web/runs/shared/run-in-url.tsx'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { handedOverTo, useClearHandOver } from '#web/runs/shared/hand-over.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { optionErrors } from '#web/runs/shared/option-error.ts'
import {
  FORM_PARTS,
  HeadedResults,
  LiveResults,
  NotStarted,
  PlaygroundForm,
  PlaygroundTabs,
  StartButton,
  TargetBox,
  useRunHere,
} from '#web/runs/shared/playground.tsx'
import type { RunHere } from '#web/runs/shared/playground.tsx'
import { RunBar } from '#web/runs/shared/run-bar.tsx'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { useSteadyView } from '#web/runs/shared/use-steady-view.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { LogsIcon, PlayIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/sitemap.ts'
import { SitemapDisplay } from './sitemap-display.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { DEFAULT_FORM, differences, formOf, requestBody, targetFault } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'
import { SitemapOptionsForm } from './sitemap-options-form.tsx'
import { SITEMAP_SAMPLE } from './sitemap-sample.ts'
import { SITEMAP, useSitemapProgress } from './use-sitemap.ts'

type Tab = 'options' | 'code' | 'results'

const START = { start: t.generateSitemap, starting: t.generating, icon: PlayIcon }

export function SitemapScreen() {
  useClearHandOver('sitemap')
  const place = useRunInUrl()
  const asked = useEndpoint(getSitemap, place.runId === null ? null : { params: { id: place.runId } })
  return (
    <RunOfUrl key={place.visit} place={place} asked={asked} base={SITEMAP}>
      {(run, onStart) => <Playground started={run} onStart={onStart} />}
    </RunOfUrl>
  )
}

type PlaygroundProps = {
  /** The sitemap in the URL: started here, or opened again. */
  started: SitemapRequest | null
  onStart: (sitemap: SitemapRequest) => void
}

function Playground({ started, onStart }: PlaygroundProps) {
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const next = useSitemapForm({
    started,
    onError: () => setTab('options'),
    onStart: (sitemap) => {
      onStart(sitemap)
      setTab('results')
      window.scrollTo({ top: 0 })
    },
  })
  const { busy, changed, form } = next
  const { url } = form.values
  const progress = useSitemapProgress(started?.uuid ?? null)
  const sitemap = progress.job ?? started
  const here = useRunHere(SITEMAP, sitemap)
  const head = useSteadyView(here.running)
  return (
    <PlaygroundForm
      box={form.form}
      base={SITEMAP}
      here={here}
      texts={START}
      busy={busy}
      missing={url.trim() === '' ? t.pleaseEnterAURL : null}
      onSubmit={next.submit}
    >
      <div ref={head} className={FORM_PARTS}>
        {here.running && sitemap ? <Running sitemap={sitemap} here={here} onOptions={() => setTab('options')} /> : <Target next={next} />}
      </div>
      <NotStarted noun={SITEMAP.noun} reason={form.shown('url') === undefined ? form.refusal?.message : undefined} />
      <PlaygroundTabs
        name="sitemap"
        label={t.sitemap}
        value={tab}
        onChange={setTab}
        options={[{ id: 'options', label: t.sitemapOptions, count: changed.length, content: <SitemapOptionsForm form={form} /> }]}
        body={url.trim() === '' ? null : requestBody(form.values)}
        sample={SITEMAP_SAMPLE}
        noSample={t.enterAURLAndConfigureOptions}
        count={sitemap?.number_of_documents ?? 0}
        results={
          <LiveResults
            run={sitemap}
            progress={progress}
            running={here.running}
            before={{ title: t.noSitemapYet, text: t.enterTheUrlOfASite }}
          >
            {(run) => (
              <HeadedResults
                base={SITEMAP}
                run={run}
                title={run.url}
                actions={<SitemapDownloads sitemap={run} look="button" size="small" />}
              >
                <SitemapDisplay key={run.uuid} sitemap={run} reason={lastFault(progress.feed)} />
              </HeadedResults>
            )}
          </LiveResults>
        }
      />
    </PlaygroundForm>
  )
}

type SitemapFormOptions = PlaygroundProps & {
  /** Shows the options, one of which is wrong. */
  onError: () => void
}

type NewSitemap = ReturnType<typeof useSitemapForm>

/** The form of a new sitemap, and sending it. */
function useSitemapForm({ started, onStart, onError }: SitemapFormOptions) {
  const create = useAction(createSitemap, { refreshes: [listSitemaps] })
  const form = useForm<SitemapForm>({
    initial: () => handedOverTo<SitemapForm>('sitemap') ?? (started === null ? DEFAULT_FORM : formOf(started)),
    judge: ({ url }) => ({ url: targetFault(url) }),
    submissions: [create],
    serverErrors: optionErrors('options'),
    opens: (wrong) => Object.keys(wrong).some((name) => name !== 'url') && onError(),
  })
  const { values } = form
  useDraft('sitemap', form, started !== null)
  const send = async () => {
    const outcome = await create.run({ body: requestBody(values) })
    if (outcome.ok) onStart(outcome.answer)
    else toast.error(outcome.error.message)
  }
  return {
    form,
    busy: create.busy,
    changed: differences(values),
    submit: () => {
      form.set({ url: withScheme(values.url) })
      form.attempt(() => void send())
    },
  }
}

/** Before a sitemap: the heading, and the site. */
function Target({ next: { busy, changed, form } }: { next: NewSitemap }) {
  return (
    <>
      <PageHeader title={SITEMAP.words.title} description={t.everyUrlOfASiteFrom}>
        <ButtonLink href={pathTo('sitemapLogs')} icon={LogsIcon}>
          {t.pastSitemaps}
        </ButtonLink>
      </PageHeader>
      <TargetBox label={t.target}>
        <TargetField
          label={t.urlOfTheSite}
          hint={t.includeTheProtocolSuchAsHttps}
          kind="url"
          icon={SitemapIcon}
          placeholder={t.httpsExampleCom}
          {...form.field('url')}
          button={<StartButton texts={START} busy={busy} />}
        />
        <FormDifferences
          changed={changed.map((words) => ({ id: words, words }))}
          untouched={t.defaultOptionsTheSiteAndIts}
          onReset={() => form.set({ ...DEFAULT_FORM, url: form.values.url })}
        />
      </TargetBox>
    </>
  )
}

type RunningProps = { sitemap: SitemapRequest; here: RunHere; onOptions: () => void }

/** While the sitemap is made: its site, and how to cancel it. */
function Running({ sitemap, here, onOptions }: RunningProps) {
  const { number_of_documents, options, url } = sitemap
  return (
    <>
      <h1 className="sr-only">{SITEMAP.words.title}</h1>
      <RunBar
        icon={SitemapIcon}
        title={url}
        hint={url}
        facts={[t.urlCount(number_of_documents), options.ignore_sitemap_xml ? t.byFollowingLinksInASentence : '']}
        onOptions={onOptions}
        base={SITEMAP}
        here={here}
      />
    </>
  )
}
