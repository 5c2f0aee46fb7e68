/** The start of a crawl: one URL in the screen's main field, or a list of URLs; and a line of differences from the defaults. */
import { useId } from 'react'
import type { ReactNode } from 'react'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { TargetBox } from '#web/runs/shared/playground.tsx'
import { TargetField, targetBox } from '#web/runs/shared/target-field.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldError } from '#web/ui/form/field.tsx'
import { GlobeIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/crawl.ts'
import { linesOf } from './crawl-form.ts'
import type { CrawlFormProps } from './crawl-options-form.tsx'
import type { CrawlForm, StartingPoint } from './crawl-form.ts'
import type { Difference } from './crawl-request.ts'

export type CrawlTargetProps = CrawlFormProps & {
  differences: readonly Difference[]
  onReset: () => void
  /** The start button. */
  start: ReactNode
  points: readonly StartingPoint[]
  /** Saves and applies presets. */
  presets: ReactNode
}

export function CrawlTarget({ form, differences, onReset, start, points, presets }: CrawlTargetProps) {
  const { part, restart, values } = form
  const batch = values.crawl_type === 'batch'
  return (
    <TargetBox label={t.target}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented
          label={t.whatToCrawl}
          value={values.crawl_type}
          onChange={(crawl_type) => restart({ ...values, crawl_type })}
          options={[
            { value: 'single', label: t.singleURL },
            { value: 'batch', label: t.batchURLs },
          ]}
        />
        <div className="flex items-center gap-3">
          {!batch && (
            <p className="text-table text-soft max-lg:hidden">
              {t.pressToStart(
                <kbd className="mx-0.5 rounded-small border border-line-strong bg-surface px-1.5 font-sans text-label">↵</kbd>,
              )}
            </p>
          )}
          {presets}
        </div>
      </div>
      {batch ? <Batch form={form} start={start} /> : <Single form={form} start={start} />}
      {!batch && (
        <div>
          <Segmented
            label={t.howFar}
            value={pointOf(values, points)}
            onChange={(id) => {
              const { max_depth, page_limit } = points.find((point) => point.id === id) ?? values.spider_options
              part('spider_options').set({ max_depth, page_limit })
            }}
            options={points.map(({ id, label }) => ({ value: id, label }))}
          />
        </div>
      )}
      <FormDifferences
        changed={differences.map(({ name, value }) => ({
          id: name,
          words: (
            <>
              {name} {value && <b className="font-semibold text-ink">{value}</b>}
            </>
          ),
        }))}
        untouched={batch ? t.eachUrlIsFetchedOnceWith : t.byDefaultOnlyThisPageIs}
        onReset={onReset}
      />
    </TargetBox>
  )
}

/** The starting point with the form's depth and limit; '' for none. */
const pointOf = ({ spider_options: { max_depth, page_limit } }: CrawlForm, points: readonly StartingPoint[]): StartingPoint['id'] | '' =>
  points.find((point) => point.max_depth === max_depth && point.page_limit === page_limit)?.id ?? ''

type TargetProps = Pick<CrawlTargetProps, 'form' | 'start'>

function Single({ form: { set, shown, values }, start }: TargetProps) {
  return (
    <TargetField
      label={t.urlToCrawl}
      hint={t.includeTheProtocolSuchAsHttps}
      kind="url"
      icon={GlobeIcon}
      placeholder={t.httpsExampleCom}
      value={values.url}
      onChange={(url) => set({ url }, ['target'])}
      error={shown('target')}
      button={start}
    />
  )
}

function Batch({ form: { set, shown, values }, start }: TargetProps) {
  const id = useId()
  const count = linesOf(values.urls).length
  const error = shown('target')
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <label htmlFor={id} className="text-table font-medium">
        {t.oneURLPerLine}
      </label>
      <div className={cx('grid', targetBox(error))}>
        <textarea
          id={id}
          name="urls"
          data-target
          rows={6}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={values.urls}
          onChange={(event) => set({ urls: event.target.value }, ['target'])}
          placeholder={t.httpsExampleComAHttpsExample}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error ${id}-count` : `${id}-count`}
          className="max-h-96 min-h-32 min-w-0 resize-y bg-transparent px-4 py-3 text-read outline-none"
        />
        <div className="flex items-center justify-between gap-3 border-t border-line py-1.5 pr-1.5 pl-4">
          <span id={`${id}-count`} aria-live="polite" className="num text-table text-soft">
            {t.urlCount(count)}
          </span>
          {start}
        </div>
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
