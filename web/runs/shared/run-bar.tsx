/** Replaces the form while the run is running: its title, a few facts, its options and the stop button. */
import type { ReactNode } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { FilterIcon, StopIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/run-fields.ts'
import type { RunHere } from './playground.tsx'
import type { RunBase } from './run-base.ts'

export type RunBarProps = {
  icon: Icon
  title: ReactNode
  /** The full text of a title that may be cut. */
  hint?: string | undefined
  facts: readonly string[]
  onOptions: () => void
  base: RunBase
  here: RunHere
}

export function RunBar({ icon: Icon, title, hint, facts, onOptions, base, here }: RunBarProps) {
  return (
    <section
      aria-label={t.target}
      className="flex min-w-0 items-center gap-3 rounded-card border border-line bg-surface py-2.5 pr-2.5 pl-4"
    >
      <Icon className="size-5 text-faint max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={hint}>
          {title}
        </p>
        <p className="truncate text-label text-faint">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex flex-none gap-2 max-sm:hidden">
        <Button icon={FilterIcon} className="max-lg:hidden" onClick={onOptions}>
          {t.options}
        </Button>
        <Button look="danger" icon={StopIcon} busy={here.canceling} busyLabel={t.canceling} onClick={here.cancel}>
          {base.words.cancel}
        </Button>
      </div>
    </section>
  )
}
