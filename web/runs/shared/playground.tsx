/** The parts of all playgrounds: the form with its buttons, the tabs, and the results with the live view. */
import type { ReactNode, RefCallback } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState, Notice } from '#web/ui/feedback/feedback.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { ArrowRightIcon, StopIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { Duration } from '#web/ui/text/time.tsx'
import type { Noun } from '#web/texts/nouns.ts'
import * as t from '#texts/playground.ts'
import type { SampleKind } from './code-samples.ts'
import { LiveAside } from './live-aside.tsx'
import type { LiveAsideProps } from './live-aside.tsx'
import { detailsPath } from './run-base.ts'
import type { AnyRun, RunBase } from './run-base.ts'
import { useStopRun } from './use-stop-run.ts'

const CodeSamplesPanel = lazyPart(async () => (await import('./code-samples-panel.tsx')).CodeSamplesPanel)

/** The layout of a playground's parts, one below the other. */
export const FORM_PARTS = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6'

/** The playground's run, if any, and how to stop it. */
export function useRunHere(base: RunBase, run: AnyRun | null) {
  const { busy, stop } = useStopRun(base, run)
  return { running: run !== null && !isTerminal(run.status), canceling: busy, cancel: () => void stop() }
}

export type RunHere = ReturnType<typeof useRunHere>

/** The texts of the start button: idle, and while the request is sent. */
export type StartTexts = { start: string; starting: string; icon: Icon }

/** The button inside the target field; on a phone it is at the bottom of the screen instead. */
export const StartButton = ({ texts: { start, starting, icon }, busy }: { texts: StartTexts; busy: boolean }) => (
  <Button type="submit" look="primary" size="large" icon={icon} busy={busy} busyLabel={starting} className="max-sm:hidden">
    {start}
  </Button>
)

type PlaygroundFormProps = {
  box: RefCallback<HTMLElement>
  base: RunBase
  here: RunHere
  texts: StartTexts
  busy: boolean
  /** The message that asks for a target; null if there is one. */
  missing: string | null
  /** Called only if there is a target, and no run is being started or is running. */
  onSubmit: () => void
  children: ReactNode
}

/** The form of a playground. On a phone its action is at the bottom of the screen, near the thumb. */
export function PlaygroundForm({
  box,
  base,
  here,
  texts: { start, starting, icon },
  busy,
  missing,
  onSubmit,
  children,
}: PlaygroundFormProps) {
  return (
    <form
      ref={box}
      noValidate
      className={cx(FORM_PARTS, 'pb-20 sm:pb-0')}
      onSubmit={(event) => {
        event.preventDefault()
        if (busy || here.running) return
        if (missing === null) return onSubmit()
        toast.error(missing)
        event.currentTarget.querySelector<HTMLElement>('[data-target]')?.focus()
      }}
    >
      {children}
      <div className="run-foot fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface p-3 sm:hidden">
        {here.running ? (
          <Button look="danger" size="large" block icon={StopIcon} busy={here.canceling} busyLabel={t.canceling} onClick={here.cancel}>
            {base.words.cancel}
          </Button>
        ) : (
          <Button type="submit" look="primary" size="large" block icon={icon} busy={busy} busyLabel={starting}>
            {start}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The box around the fields of a run's target. */
export const TargetBox = ({ label, children }: { label: string; children: ReactNode }) => (
  <section
    aria-label={label}
    className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-4 sm:p-5"
  >
    {children}
  </section>
)

/** Says why the server refused to start the run, if no field shows the reason. */
export const NotStarted = ({ noun, reason }: { noun: Noun; reason: string | null | undefined }) =>
  reason ? (
    <Notice tone="danger" role="alert" title={t.theWasNotStarted(noun)}>
      {reason}
    </Notice>
  ) : null

type PlaygroundTabsProps<Options extends string> = {
  /** Id of the tabs: "crawl"; `label` is for screen readers: "Crawl". */
  name: string
  label: string
  options: readonly (Tab<Options> & { content: ReactNode })[]
  /** The form's request; null without a target. */
  body: unknown
  sample: SampleKind
  /** Shown instead of a code sample while there is no target. */
  noSample: string
  count: number
  results: ReactNode
  value: Options | 'code' | 'results'
  onChange: (tab: Options | 'code' | 'results') => void
}

/** The options, code samples, and results. */
export function PlaygroundTabs<Options extends string>(props: PlaygroundTabsProps<Options>) {
  const { name, label, options, body, sample, noSample, count, results, value, onChange } = props
  return (
    <div className="grid min-w-0 gap-4 sm:gap-6">
      <Tabs
        name={name}
        label={label}
        tabs={[...options, { id: 'code', label: t.apiDocumentation }, { id: 'results', label: t.results, count }]}
        value={value}
        onChange={onChange}
      />
      {options.map(({ id, content }) => (
        <TabPanel key={id} name={name} id={id} value={value}>
          {content}
        </TabPanel>
      ))}
      <TabPanel name={name} id="code" value={value}>
        <CodeSamplesPanel body={body} kind={sample} empty={noSample} />
      </TabPanel>
      <TabPanel name={name} id="results" value={value}>
        {results}
      </TabPanel>
    </div>
  )
}

type LiveResultsProps<Run extends AnyRun> = {
  run: Run | null
  progress: LiveAsideProps['progress']
  running: boolean
  /** Heading and instructions before there is a run. */
  before: { title: string; text: string }
  /** Shown while the engine has reported nothing. */
  silent?: string
  children: (run: Run) => ReactNode
}

/** The results of a run so far, and the engine's messages beside them. */
export function LiveResults<Run extends AnyRun>({
  run,
  progress,
  running,
  before,
  silent = t.noMessagesYet,
  children,
}: LiveResultsProps<Run>) {
  if (run === null) return <EmptyState title={before.title}>{before.text}</EmptyState>
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_336px]">
      {children(run)}
      <LiveAside key={run.uuid} progress={progress} running={running} empty={silent} />
    </div>
  )
}

/** Leads to all that is known of a run. It stands where it is from the start, so that nothing moves when the run ends. */
export const DetailsLink = ({ href }: { href: string }) => (
  <ButtonLink size="small" icon={ArrowRightIcon} href={href}>
    {t.details}
  </ButtonLink>
)

type ResultsHeadProps = { base: RunBase; run: AnyRun; title: string; actions?: ReactNode; children: ReactNode }

/** The results, below the run's title, status and duration. */
export function HeadedResults({ base, run, title, actions, children }: ResultsHeadProps) {
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 truncate font-medium max-sm:basis-full" title={title}>
          {title}
        </p>
        <StatusBadge status={run.status} />
        <span className="num text-table text-soft">
          <Duration duration={run.duration} since={isTerminal(run.status) ? null : run.created_at} />
        </span>
        {actions}
        <DetailsLink href={detailsPath(base, run)} />
      </div>
      {children}
    </div>
  )
}
