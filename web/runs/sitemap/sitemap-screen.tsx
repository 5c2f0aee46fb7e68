/** The sitemap playground: a URL, options, and all URLs of the site. */
import { useState } from 'react'
import { createSitemap, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { pathTo } from '#web/navigation.ts'
import { withScheme } from '#web/runs/shared/target-url.ts'
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
import { RunBar } from '#web/runs/shared/run-bar.tsx'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { useSteadyView } from '#web/runs/shared/use-steady-view.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { LogsIcon, SitemapIcon } from '#web/ui/icons.tsx'
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

const START = { start: t.generateSitemap, starting: t.generating }

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
  const create = useAction(createSitemap, { refreshes: [listSitemaps] })
  const form = useForm<SitemapForm>({
    initial: () => handedOverTo<SitemapForm>('sitemap') ?? (started === null ? DEFAULT_FORM : formOf(started)),
    judge: ({ url }) => ({ url: targetFault(url) }),
    submissions: [create],
    serverErrors: optionErrors('options'),
    opens: (wrong) => Object.keys(wrong).some((name) => name !== 'url') && setTab('options'),
  })
  const { values } = form
  const progress = useSitemapProgress(started?.uuid ?? null)
  const sitemap = progress.job ?? started
  const here = useRunHere(SITEMAP, sitemap)
  const head = useSteadyView(here.running)
  const changed = differences(values)

  const send = async () => {
    const outcome = await create.run({ body: requestBody(values) })
    if (!outcome.ok) return toast.error(outcome.error.message)
    onStart(outcome.answer)
    setTab('results')
    window.scrollTo({ top: 0 })
  }
  const submit = () => {
    form.set({ url: withScheme(values.url) })
    form.attempt(() => void send())
  }

  return (
    <PlaygroundForm
      box={form.form}
      base={SITEMAP}
      here={here}
      texts={START}
      busy={create.busy}
      missing={values.url.trim() === '' ? t.pleaseEnterAURL : null}
      onSubmit={submit}
    >
      <div ref={head} className={FORM_PARTS}>
        {here.running && sitemap ? (
          <>
            <h1 className="sr-only">{SITEMAP.words.title}</h1>
            <RunBar
              icon={SitemapIcon}
              title={sitemap.url}
              hint={sitemap.url}
              facts={[t.urlCount(sitemap.number_of_documents), sitemap.options.ignore_sitemap_xml ? t.byFollowingLinksInASentence : '']}
              onOptions={() => setTab('options')}
              base={SITEMAP}
              run={sitemap}
              here={here}
            />
          </>
        ) : (
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
                button={<StartButton texts={START} busy={create.busy} />}
              />
              <FormDifferences
                changed={changed.map((words) => ({ id: words, words }))}
                untouched={t.defaultOptionsTheSiteAndIts}
                onReset={() => form.set({ ...DEFAULT_FORM, url: values.url })}
              />
            </TargetBox>
          </>
        )}
      </div>
      <NotStarted noun={SITEMAP.noun} reason={form.shown('url') === undefined ? form.refusal?.message : undefined} />
      <PlaygroundTabs
        name="sitemap"
        label={t.sitemap}
        value={tab}
        onChange={setTab}
        options={[
          {
            id: 'options',
            label: t.sitemapOptions,
            count: changed.length,
            content: <SitemapOptionsForm form={form} />,
          },
        ]}
        body={values.url.trim() === '' ? null : requestBody(values)}
        sample={SITEMAP_SAMPLE}
        noSample={t.enterAURLAndConfigureOptions}
        count={sitemap?.number_of_documents ?? 0}
        results={
          <LiveResults
            base={SITEMAP}
            run={sitemap}
            progress={progress}
            running={here.running}
            before={{ title: t.noSitemapYet, text: t.enterTheUrlOfASite }}
          >
            {(run) => (
              <HeadedResults run={run} title={run.url} actions={<SitemapDownloads sitemap={run} look="button" />}>
                <SitemapDisplay key={run.uuid} sitemap={run} reason={lastFault(progress.feed)} />
              </HeadedResults>
            )}
          </LiveResults>
        }
      />
    </PlaygroundForm>
  )
}
