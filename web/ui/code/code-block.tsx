/** Code to read and copy. What is very long is cut until one asks for all of it. Colours come when the highlighter has been loaded, slice by slice. */
import { memo, useEffect, useMemo, useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { DomNodes } from './dom-nodes.tsx'
import { CheckIcon, CopyIcon } from '#web/ui/icons.tsx'
import { MAX_PREVIEW } from '#web/ui/form/limits.ts'
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
  /** What the code is, for screen readers. */
  label: string
  /** The text that the button copies, when it is longer than the shown one. */
  copyText?: string
  /** Long lines turn instead of scrolling. */
  wrap?: boolean
  /** All of it is shown at once, however long it is. */
  whole?: boolean
  className?: string
  onCopied?: (done: boolean) => void
}

/** Characters of a slice: laying it out and colouring it takes a few milliseconds. */
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

/** About so many characters fit into a line that wraps. */
const LINE_LENGTH = 100

type SliceProps = {
  slice: TextSlice
  nodes: DocumentFragment | undefined
  /**
   * Stands in lines of its own, also inside a very long one, so that the browser leaves out its layout while it is out of sight: a
   * line of 200,000 characters alone takes half a second. It would cut lines that do not wrap.
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
 * The slices in nodes with colours, as far as they have any yet; null while all is plain. One slice a task, so that clicks and frames
 * come between them. Slices inside a line stay plain: what their characters mean is decided before them.
 */
function useColoured(slices: readonly TextSlice[], language: CodeLanguage): readonly (DocumentFragment | undefined)[] | null {
  const [coloured, setColoured] = useState<{ slices: readonly TextSlice[]; nodes: readonly (DocumentFragment | undefined)[] } | null>(null)
  useEffect(() => {
    if (language === 'text') return
    const stop = new AbortController()
    void (async () => {
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
    })()
    return () => stop.abort()
  }, [slices, language])
  return coloured?.slices === slices && language !== 'text' ? coloured.nodes : null
}
