/**
 * Code to read and copy. Very long code is cut until the user asks for all of it. Colours are added slice by slice once the highlighter is
 * loaded.
 */
import { memo, useEffect, useMemo, useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { DomNodes } from './dom-nodes.tsx'
import { CheckIcon, CopyIcon } from '#web/ui/icons.tsx'
import { MAX_PREVIEW } from '#web/ui/limits.ts'
import { nextTask } from '#web/ui/hooks/next-task.ts'
import { beginningOf, textSlices } from './text-slices.ts'
import type { TextSlice } from './text-slices.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import * as t from '#texts/code.ts'

export type CodeLanguage = 'bash' | 'go' | 'html' | 'javascript' | 'json' | 'markdown' | 'python' | 'text'

export type CodeBlockProps = {
  code: string
  language?: CodeLanguage
  /** Describes the code for screen readers. */
  label: string
  /** The text that the button copies, if it differs from `code`. */
  copyText?: string
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean
  /** Shows all of it at once, however long it is. */
  whole?: boolean
  className?: string
  onCopied?: (done: boolean) => void
}

/** Characters per slice: layout and colours take a few milliseconds. */
const SLICE = 10_000
const LINE_PX = 20

export function CodeBlock({ code, language = 'text', label, copyText, wrap = false, whole = false, className, onCopied }: CodeBlockProps) {
  const { copy, copied } = useCopy()
  const [wholeOf, setWholeOf] = useState<string | null>(null)
  const shown = whole || wholeOf === code ? code : beginningOf(code, MAX_PREVIEW)
  const slices = useMemo(() => textSlices(shown, SLICE), [shown])
  const coloured = useColoured(slices, language)
  const copyIt = async () => {
    const done = await copy(copyText ?? code)
    onCopied?.(done)
  }
  return (
    <div className={cx('relative min-w-0 rounded-control border border-line bg-sunken', className)}>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx(
          'max-h-[60vh] overflow-auto rounded-control px-4 py-3 pr-11 font-mono text-label/5',
          wrap && 'break-words whitespace-pre-wrap',
        )}
      >
        <code className="code-colours text-label/5">
          {slices.map((slice, index) => (
            <Slice key={index} slice={slice} nodes={coloured?.[index]} skips={wrap && slices.length > 1} />
          ))}
        </code>
      </pre>
      <IconButton
        label={copied === null ? t.copy : t.copied}
        icon={copied === null ? CopyIcon : CheckIcon}
        className="absolute top-2 right-2 bg-sunken"
        onClick={() => void copyIt()}
      />
      {shown.length < code.length && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2 text-label text-soft">
          <span className="num">{t.theFirstOfCharacters(numberText(shown.length), numberText(code.length))}</span>
          <Button size="small" onClick={() => setWholeOf(code)}>
            {t.showAll}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Approximate characters in a wrapped line. */
const LINE_LENGTH = 100

type SliceProps = {
  slice: TextSlice
  nodes: DocumentFragment | undefined
  /**
   * Starts each slice on a new line, even inside a very long line, so that the browser can skip the layout of slices that are out of view:
   * a single line of 200,000 characters takes half a second. Only for wrapped code; elsewhere it would break long lines visibly.
   */
  skips: boolean
}

const Slice = memo(function Slice({ slice: { text, isWhole, lines }, nodes, skips }: SliceProps) {
  const className = cx((isWhole || skips) && 'block', skips && '[content-visibility:auto]')
  const style = skips ? { containIntrinsicHeight: `auto ${Math.max(lines, text.length / LINE_LENGTH) * LINE_PX}px` } : undefined
  return nodes ? (
    <DomNodes className={className} style={style} nodes={nodes} />
  ) : (
    <span className={className} style={style}>
      {text}
    </span>
  )
})

/**
 * The slices highlighted so far; null before the first. Highlights one slice per task, so that the browser handles clicks and frames in
 * between. A slice inside a line stays plain, because its syntax depends on the text before it.
 */
function useColoured(slices: readonly TextSlice[], language: CodeLanguage): readonly (DocumentFragment | undefined)[] | null {
  const [coloured, setColoured] = useState<{ slices: readonly TextSlice[]; nodes: readonly (DocumentFragment | undefined)[] } | null>(null)
  useEffect(() => {
    if (language === 'text') return
    const stop = new AbortController()
    const colour = async () => {
      const { highlight } = await import('./highlight.ts')
      const nodes: (DocumentFragment | undefined)[] = []
      let length = 0
      for (const { text, isWhole } of slices) {
        if (stop.signal.aborted || length > MAX_PREVIEW) return
        length += text.length
        nodes.push(isWhole ? highlight(text, language) : undefined)
        if (isWhole) setColoured({ slices, nodes: [...nodes] })
        if (slices.length > 1) await nextTask()
      }
    }
    colour().catch((cause: unknown) => console.warn('the code stays without colours', cause))
    return () => stop.abort()
  }, [slices, language])
  return coloured?.slices === slices && language !== 'text' ? coloured.nodes : null
}
