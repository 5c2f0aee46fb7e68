/** The card beside a run: its facts, and its request. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Card, CardHead, Facts } from '#web/ui/card.tsx'
import type { Fact } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { CheckIcon, ChevronRightIcon, CopyIcon } from '#web/ui/icons.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/run.ts'
import type { AnyRun } from './run-base.ts'

/** Facts of any run. */
export const statusFact = ({ status }: AnyRun): Fact => ({ name: t.status, value: <StatusBadge status={status} /> })

export const urlFact = (name: string, url: string): Fact => ({
  name,
  value: (
    <span className="block truncate" title={url}>
      <OutsideLink url={url} />
    </span>
  ),
})

/** Creation time, duration and number of results. */
export const countFacts = (run: AnyRun & { number_of_documents: number }, found: string): Fact[] => [
  { name: t.created, value: <RelativeTime iso={run.created_at} /> },
  { name: t.duration, value: <Duration duration={run.duration} since={isTerminal(run.status) ? null : run.created_at} /> },
  { name: found, value: <span className="num">{numberText(run.number_of_documents)}</span> },
]

export type RunInformationProps = {
  title: string
  runId: string
  facts: readonly Fact[]
  parameters: unknown
  /** Further collapsible parts, before the parameters. */
  children?: ReactNode
}

export function RunInformation({ title, runId, facts, parameters, children }: RunInformationProps) {
  return (
    <Card>
      <CardHead title={title} />
      <div className="px-4 py-2">
        <Facts facts={[...facts, { name: t.request, value: <RunId runId={runId} /> }]} />
      </div>
      {children}
      <Unfold title={t.parameters}>
        <CodeBlock label={t.parameters} code={JSON.stringify(parameters, null, 2)} language="json" />
      </Unfold>
    </Card>
  )
}

function RunId({ runId }: { runId: string }) {
  const { copy, copied } = useCopy()
  return (
    <span className="inline-flex items-center gap-1 font-mono text-label" title={runId}>
      {runId.slice(0, 4)}…{runId.slice(-4)}
      <IconButton
        label={copied === null ? t.copyRequestId : t.copied}
        icon={copied === null ? CopyIcon : CheckIcon}
        className="-mr-1.5"
        onClick={() => void copy(runId)}
      />
    </span>
  )
}

/** A collapsible part; its content is rendered when it is first opened. */
export function Unfold({ title, children }: { title: string; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className="group border-t border-line px-4 py-3" onToggle={() => setWasOpened(true)}>
      <summary className="flex items-center gap-1.5 text-table font-medium text-soft hover:text-ink">
        <ChevronRightIcon className="transition-transform group-open:rotate-90" />
        {title}
      </summary>
      {wasOpened && <div className="mt-2 min-w-0">{children}</div>}
    </details>
  )
}
