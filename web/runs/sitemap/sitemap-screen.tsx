/** The sitemap playground: a URL, options, and all URLs of the site. */
import { useState } from 'react'
import { createSitemap, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { AddressedRun, useRunAddress } from '#web/runs/shared/addressed-run.tsx'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { handedOverTo, useTakenHandOver } from '#web/runs/shared/hand-over.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
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
import { useStart } from '#web/runs/shared/use-start.ts'
import { useSteadyView } from '#web/runs/shared/use-steady-view.ts'
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
  useTakenHandOver('sitemap')
  const address = useRunAddress()
  const asked = useEndpoint(getSitemap, address.runId === null ? null : { params: { id: address.runId } })
  return (
    <AddressedRun key={address.visit} address={address} asked={asked} base={SITEMAP}>
      {(run, onStart) => <Playground started={run} onStart={onStart} />}
    </AddressedRun>
  )
}

type PlaygroundProps = {
  /** The sitemap in the URL: started here, or opened again. */
  started: SitemapRequest | null
  onStart: (sitemap: SitemapRequest) => void
}

function Playground({ started, onStart }: PlaygroundProps) {
  const [form, setForm] = useState<SitemapForm>(
    () => handedOverTo<SitemapForm>('sitemap') ?? (started === null ? DEFAULT_FORM : formOf(started)),
  )
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const { busy, edited, error, reason, refused, start } = useStart(useAction(createSitemap, { refreshes: [listSitemaps] }), 'url')
  const progress = useSitemapProgress(started?.uuid ?? null)
  const sitemap = progress.job ?? started
  const here = useRunHere(SITEMAP, sitemap)
  const head = useSteadyView(here.running)
  const changed = differences(form)

  const change = (changes: Partial<SitemapForm>) => {
    setForm({ ...form, ...changes })
    edited()
  }
  const submit = async () => {
    if (busy || here.running) return
    const body = requestBody(form)
    const faults = { missing: form.url.trim() === '' ? t.pleaseEnterAURL : undefined, target: targetFault(form.url) }
    if (!faults.missing && !faults.target) setForm({ ...form, url: body.url })
    const outcome = await start(body, faults)
    if ('wrong' in outcome) {
      if (outcome.wrong === 'options') setTab('options')
      return
    }
    onStart(outcome.run)
    setTab('results')
    window.scrollTo({ top: 0 })
  }

  return (
    <PlaygroundForm base={SITEMAP} here={here} texts={START} busy={busy} onSubmit={() => void submit()}>
      <div ref={head} className={FORM_PARTS}>
        {here.running && sitemap ? (
          <>
            <h1 className="sr-only">{SITEMAP.words.title}</h1>
            <RunBar
              icon={SitemapIcon}
              title={sitemap.url}
              hint={sitemap.url}
              facts={[t.uRLs(sitemap.number_of_documents), sitemap.options.ignore_sitemap_xml ? t.byFollowingLinksInASentence : '']}
              onOptions={() => setTab('options')}
              base={SITEMAP}
              run={sitemap}
              here={here}
            />
          </>
        ) : (
          <>
            <PageHeader title={SITEMAP.words.title} description={t.everyAddressOfASiteFrom}>
              <ButtonLink href={pathTo('sitemapLogs')} icon={LogsIcon}>
                {t.pastSitemaps}
              </ButtonLink>
            </PageHeader>
            <TargetBox label={t.target}>
              <TargetField
                label={t.urlOfTheSite}
                hint={t.includeTheProtocolSuchAsHttps}
                kind="address"
                icon={SitemapIcon}
                placeholder={t.httpsExampleCom}
                value={form.url}
                onChange={(url) => change({ url })}
                error={error}
                button={<StartButton texts={START} busy={busy} />}
              />
              <FormDifferences
                changed={changed.map((words) => ({ id: words, words }))}
                untouched={t.defaultOptionsTheSiteAndIts}
                onReset={() => change({ ...DEFAULT_FORM, url: form.url })}
              />
            </TargetBox>
          </>
        )}
      </div>
      <NotStarted noun={SITEMAP.noun} reason={reason} />
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
            content: <SitemapOptionsForm form={form} onChange={change} error={refused} />,
          },
        ]}
        body={form.url.trim() === '' ? null : requestBody(form)}
        sample={SITEMAP_SAMPLE}
        noSample={t.enterAURLAndConfigureOptions}
        count={sitemap?.number_of_documents ?? 0}
        results={
          <LiveResults
            base={SITEMAP}
            run={sitemap}
            progress={progress}
            running={here.running}
            before={{ title: t.noSitemapYet, text: t.enterTheAddressOfASite }}
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
