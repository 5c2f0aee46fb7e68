/** How a form differs from its defaults, and a button to reset it. */
import type { ReactNode } from 'react'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import * as t from '#texts/playground.ts'

type FormDifferencesProps = {
  changed: readonly { id: string; words: ReactNode }[]
  /** Describes the defaults; shown if nothing differs. */
  untouched: string
  onReset: () => void
}

export function FormDifferences({ changed, untouched, onReset }: FormDifferencesProps) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 text-table text-soft">
      {changed.length === 0 ? (
        <span>{untouched}</span>
      ) : (
        <>
          <span>{t.differsFromTheDefaults}</span>
          {changed.map(({ id, words }) => (
            <Chip key={id}>{words}</Chip>
          ))}
          <button type="button" className="link" onClick={onReset}>
            {t.reset}
          </button>
        </>
      )}
    </div>
  )
}
