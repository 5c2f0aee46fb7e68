/** Code to read and copy; colours come when the highlighter has been loaded. */
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { DomNodes } from './dom-nodes.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { useCopy } from './use-copy.ts'

export type CodeLanguage = 'bash' | 'go' | 'html' | 'javascript' | 'json' | 'markdown' | 'python' | 'text'

export type CodeBlockProps = {
  code: string
  language?: CodeLanguage
  /** What the code is, for screen readers. */
  label: string
  /** What the button copies, when it is more than what is shown. */
  copyText?: string
  /** Long lines turn instead of scrolling. */
  wrap?: boolean
  className?: string
  onCopied?: (done: boolean) => void
}

// Colouring costs about 1 ms per 20 KB; what is longer is read as plain text.
const MAX_COLOURED = 200_000

export function CodeBlock({ code, language = 'text', label, copyText, wrap = false, className, onCopied }: CodeBlockProps) {
  const { copy, copied } = useCopy()
  const coloured = useColoured(code, language)
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
        {coloured === null ? (
          <code className="text-label/5">{code}</code>
        ) : (
          <DomNodes as="code" className="code-colours text-label/5" nodes={coloured} />
        )}
      </pre>
      <IconButton
        label={copied === null ? 'Copy' : 'Copied'}
        icon={copied === null ? CopyIcon : CheckIcon}
        className="absolute top-2 right-2 bg-sunken"
        onClick={() => void copyIt()}
      />
    </div>
  )
}

/** The code in nodes with colours, or null while it is plain. */
function useColoured(code: string, language: CodeLanguage): DocumentFragment | null {
  const [coloured, setColoured] = useState<{ code: string; nodes: DocumentFragment } | null>(null)
  useEffect(() => {
    if (language === 'text' || code.length > MAX_COLOURED) return
    let current = true
    void import('./highlight.ts').then(({ highlight }) => {
      if (current) setColoured({ code, nodes: highlight(code, language) })
    })
    return () => {
      current = false
    }
  }, [code, language])
  return coloured?.code === code && language !== 'text' ? coloured.nodes : null
}
