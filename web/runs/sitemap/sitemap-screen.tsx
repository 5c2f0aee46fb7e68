/** The sitemap playground: an address, options, and every address of the site. */
import { useState } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { createSitemap, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { AddressedRun, useRunAddress } from '#web/runs/shared/addressed-run.tsx'
import { CodeSamplesPanel } from '#web/runs/shared/code-samples-panel.tsx'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { handedOverTo, useTakenHandOver } from '#web/runs/shared/hand-over.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { LiveAside } from '#web/runs/shared/live-aside.tsx'
import { BottomAction, FORM_PARTS, RunBar } from '#web/runs/shared/run-bar.tsx'
import { useSteadyView } from '#web/runs/shared/use-steady-view.ts'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState, Notice } from '#web/ui/feedback/feedback.tsx'
import { LogsIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { Duration } from '#web/ui/text/time.tsx'
import { countText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { SitemapDisplay } from './sitemap-display.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { DEFAULT_FORM, differences, formOf, requestBody, targetFault } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'
import { SitemapOptionsForm } from './sitemap-options-form.tsx'
import { SITEMAP_SAMPLE } from './sitemap-sample.ts'
import { useSitemapProgress, useStopSitemap } from './use-sitemap.ts'

type Tab = 'options' | 'code' | 'results'

const WORDS = { title: 'Sitemap Playground', notFound: 'Sitemap request not found', noun: 'sitemap' }

export function SitemapScreen() {
  useTakenHandOver('sitemap')
  const address = useRunAddress()
  const asked = useEndpoint(getSitemap, address.runId === null ? null : { params: { id: address.runId } })
  return (
    <AddressedRun key={address.visit} address={address} asked={asked} get={getSitemap} words={WORDS} begin={pathTo('sitemap')}>
      {(run, onStart) => <Playground started={run} onStart={onStart} />}
    </AddressedRun>
  )
}

type PlaygroundProps = {
  /** The sitemap of the address: started here, or come back to. */
  started: SitemapRequest | null
  onStart: (sitemap: SitemapRequest) => void
}

function Playground({ started, onStart }: PlaygroundProps) {
  const [form, setForm] = useState<SitemapForm>(
    () => handedOverTo<SitemapForm>('sitemap') ?? (started === null ? DEFAULT_FORM : formOf(started)),
  )
  const [fault, setFault] = useState<string | undefined>()
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const creating = useAction(createSitemap, { refreshes: [listSitemaps] })
  const stopping = useStopSitemap()
  const progress = useSitemapProgress(started?.uuid ?? null)
  const sitemap = progress.job ?? started
  const running = sitemap !== null && !isTerminal(sitemap.status)
  const head = useSteadyView(running)
  const changed = differences(form)
  const error = fault ?? fieldError(creating.error, 'url')

  const change = (changes: Partial<SitemapForm>) => {
    setForm({ ...form, ...changes })
    setFault(undefined)
    if (creating.error) creating.reset()
  }
  const start = async () => {
    if (creating.busy || running) return
    if (form.url.trim() === '') {
      toast.error('Please enter a URL')
      return
    }
    const wrong = targetFault(form.url)
    setFault(wrong)
    if (wrong) return
    const body = requestBody(form)
    setForm({ ...form, url: body.url })
    const outcome = await creating.run({ body })
    if (!outcome.ok) {
      toast.error(outcome.error.message)
      if (outcome.error.body.errors !== null && 'options' in outcome.error.body.errors) setTab('options')
      return
    }
    onStart(outcome.answer)
    setTab('results')
    window.scrollTo({ top: 0 })
  }
  const cancel = () => sitemap && void stopping.stop(sitemap.uuid)
  const canceling = stopping.busy || sitemap?.status === 'canceling'

  return (
    <form
      noValidate
      className={cx(FORM_PARTS, 'pb-20 sm:pb-0')}
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <div ref={head} className={FORM_PARTS}>
        {running ? (
          <>
            <h1 className="sr-only">Sitemap Playground</h1>
            <RunBar
              icon={SitemapIcon}
              title={sitemap.url}
              hint={sitemap.url}
              facts={[countText(sitemap.number_of_documents, 'URL'), sitemap.options.ignore_sitemap_xml ? 'by following links' : '']}
              details={pathTo('sitemapDetails', { id: sitemap.uuid })}
              onOptions={() => setTab('options')}
              cancel="Cancel Generation"
              onCancel={cancel}
              busy={canceling}
            />
          </>
        ) : (
          <>
            <PageHeader
              title="Sitemap Playground"
              description="Every address of a site: from its sitemap files, or by following its links."
            >
              <ButtonLink href={pathTo('sitemapLogs')} icon={LogsIcon}>
                Past sitemaps
              </ButtonLink>
            </PageHeader>
            <section
              aria-label="Target"
              className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-4 sm:p-5"
            >
              <TargetField
                label="URL of the site"
                hint="Include the protocol, such as https://"
                kind="address"
                icon={SitemapIcon}
                placeholder="https://example.com"
                value={form.url}
                onChange={(url) => change({ url })}
                error={error}
                button={
                  <Button type="submit" look="primary" size="large" busy={creating.busy} busyLabel="Generating…" className="max-sm:hidden">
                    Generate Sitemap
                  </Button>
                }
              />
              <FormDifferences
                changed={changed.map((words) => ({ id: words, words }))}
                untouched="Default options: the site and its subdomains, by their sitemap files where there are any."
                onReset={() => change({ ...DEFAULT_FORM, url: form.url })}
              />
            </section>
          </>
        )}
      </div>
      {creating.error && !error && (
        <Notice tone="danger" role="alert" title="The sitemap was not started">
          {creating.error.message}
        </Notice>
      )}
      <div className="grid min-w-0 gap-4 sm:gap-6">
        <Tabs
          name="sitemap"
          label="Sitemap"
          tabs={[
            { id: 'options', label: 'Sitemap Options', count: changed.length },
            { id: 'code', label: 'API Documentation' },
            { id: 'results', label: 'Results', count: sitemap?.number_of_documents ?? 0 },
          ]}
          value={tab}
          onChange={setTab}
        />
        <TabPanel name="sitemap" id="options" value={tab}>
          <SitemapOptionsForm form={form} onChange={change} error={creating.error} />
        </TabPanel>
        <TabPanel name="sitemap" id="code" value={tab}>
          <CodeSamplesPanel
            body={form.url.trim() === '' ? null : requestBody(form)}
            kind={SITEMAP_SAMPLE}
            empty="Enter a URL and configure options to see the API request example."
          />
        </TabPanel>
        <TabPanel name="sitemap" id="results" value={tab}>
          {sitemap === null ? (
            <EmptyState title="No sitemap yet">Enter the address of a site and generate its sitemap; it appears here.</EmptyState>
          ) : (
            <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_336px]">
              <div className="grid min-w-0 gap-4">
                <div className="flex flex-wrap items-center gap-3">
                  <p className="min-w-0 flex-1 truncate font-medium" title={sitemap.url}>
                    {sitemap.url}
                  </p>
                  <StatusBadge status={sitemap.status} />
                  <span className="num text-table text-soft">
                    <Duration duration={sitemap.duration} since={running ? sitemap.created_at : null} />
                  </span>
                  <SitemapDownloads sitemap={sitemap} look="button" />
                </div>
                <SitemapDisplay key={sitemap.uuid} sitemap={sitemap} reason={lastFault(progress.feed)} />
              </div>
              <LiveAside
                key={sitemap.uuid}
                progress={progress}
                running={running}
                details={pathTo('sitemapDetails', { id: sitemap.uuid })}
                empty="The engine has said nothing yet."
              />
            </div>
          )}
        </TabPanel>
      </div>
      <BottomAction
        running={running}
        start={
          <Button type="submit" look="primary" size="large" block busy={creating.busy} busyLabel="Generating…">
            Generate Sitemap
          </Button>
        }
        cancel="Cancel Generation"
        onCancel={cancel}
        busy={canceling}
      />
    </form>
  )
}
