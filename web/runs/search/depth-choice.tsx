/**
 * How thoroughly each result is processed: three buttons to choose from, and a chip with the depth that was reached. Each depth has a
 * colour and a word.
 */
import { useId } from 'react'
import { SEARCH_DEPTHS } from '#contract/searches.ts'
import type { SearchDepth } from '#contract/searches.ts'
import { cx } from '#web/ui/cx.ts'
import { FieldError } from '#web/ui/form/field.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import * as t from '#texts/search.ts'
import { DEPTH_WORDS } from './search-form.ts'

const DOTS: Record<SearchDepth, string> = { basic: 'bg-success', advanced: 'bg-info', ultimate: 'bg-st-new' }

const SAYS: Record<SearchDepth, string> = {
  basic: t.titlesAndDescriptionsAsTheProvider,
  advanced: t.eachPageIsFetched,
  ultimate: t.asAdvancedWithEachPageDrawn,
}

export type DepthChoiceProps = {
  value: SearchDepth
  onChange: (depth: SearchDepth) => void
  canRender: boolean
  error?: string | undefined
}

/** @param canRender  false if the server has no browser: then the deepest level says what happens instead */
export function DepthChoice({ value, onChange, canRender, error }: DepthChoiceProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <span id={`${id}-label`} className="text-table font-medium">
        {t.depth}
      </span>
      <div role="radiogroup" aria-labelledby={`${id}-label`} className="grid gap-2 sm:grid-cols-3">
        {SEARCH_DEPTHS.map((depth) => (
          <label
            key={depth}
            className={cx(
              'relative grid grid-cols-[10px_minmax(0,1fr)] content-start items-start gap-x-2.5 gap-y-0.5 rounded-card border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              depth === value ? 'border-accent bg-wash inset-ring inset-ring-accent' : 'border-control bg-surface hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={`${id}-depth`}
              checked={depth === value}
              onChange={() => onChange(depth)}
              aria-labelledby={`${id}-${depth}`}
              aria-describedby={`${id}-${depth}-says`}
              className="absolute inset-0 cursor-pointer appearance-none rounded-card outline-none"
            />
            <Dot depth={depth} className="mt-[5px]" />
            <span id={`${id}-${depth}`} className="font-medium">
              {DEPTH_WORDS[depth]}
            </span>
            <span id={`${id}-${depth}-says`} className="col-start-2 text-label text-soft">
              {depth === 'ultimate' && !canRender ? t.needsABrowserAndThisServer : SAYS[depth]}
            </span>
          </label>
        ))}
      </div>
      <FieldError error={error} />
    </div>
  )
}

const Dot = ({ depth, className }: { depth: SearchDepth; className?: string }) => (
  <span aria-hidden="true" className={cx('swatch block size-2.5 flex-none rounded-full', DOTS[depth], className)} />
)

/** The depth that a result was processed with. */
export const DepthChip = ({ depth }: { depth: SearchDepth }) => (
  <Chip>
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={cx('swatch size-1.5 rounded-full', DOTS[depth])} />
      {DEPTH_WORDS[depth]}
    </span>
  </Chip>
)
