/** A run under way in place of its form: what it is about, a few facts, the way to its details and the button that stops it. */
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { ArrowRightIcon, FilterIcon, StopIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'

/** How the parts of a playground stand below each other. */
export const FORM_PARTS = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6'

export type RunBarProps = {
  icon: Icon
  title: ReactNode
  /** The whole of a title that may be cut. */
  hint?: string | undefined
  facts: readonly string[]
  details: string
  onOptions: () => void
  /** "Cancel Crawling" */
  cancel: string
  onCancel: () => void
  busy: boolean
}

export function RunBar({ icon: Icon, title, hint, facts, details, onOptions, cancel, onCancel, busy }: RunBarProps) {
  return (
    <section aria-label="Target" className="flex min-w-0 items-center gap-3 rounded-card border border-line bg-surface py-2.5 pr-2.5 pl-4">
      <Icon className="size-5 text-faint max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={hint}>
          {title}
        </p>
        <p className="truncate text-label text-faint">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex flex-none gap-2 max-sm:hidden">
        <Button icon={FilterIcon} className="max-lg:hidden" onClick={onOptions}>
          Options
        </Button>
        {/* On a large screen they stand beside the results. */}
        <ButtonLink href={details} icon={ArrowRightIcon} className="max-md:hidden xl:hidden">
          Details
        </ButtonLink>
        <Button look="danger" icon={StopIcon} busy={busy} busyLabel="Canceling…" onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </section>
  )
}

export type BottomActionProps = { running: boolean; start: ReactNode; cancel: string; onCancel: () => void; busy: boolean }

/** On a phone the one action of a work screen stands at the bottom, under the thumb. */
export function BottomAction({ running, start, cancel, onCancel, busy }: BottomActionProps) {
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface p-3 sm:hidden">
      {running ? (
        <Button look="danger" size="large" block icon={StopIcon} busy={busy} busyLabel="Canceling…" onClick={onCancel}>
          {cancel}
        </Button>
      ) : (
        start
      )}
    </div>
  )
}
