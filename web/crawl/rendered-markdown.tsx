/** Markdown to read, at reading size and measure; as plain text until the renderer has come, and when it is too long for it. */
import { useEffect, useState } from 'react'
import { DomNodes } from '#web/ui/dom-nodes.tsx'
import { Loading, Notice } from '#web/ui/feedback.tsx'

/** Half a megabyte takes the renderer about half a second; what is longer is shown as it is written. */
const MAX_RENDERED = 500_000
const MAX_SHOWN = 2_000_000

export function RenderedMarkdown({ markdown }: { markdown: string }) {
  const [rendered, setRendered] = useState<{ markdown: string; nodes: DocumentFragment } | null>(null)
  const isLong = markdown.length > MAX_RENDERED
  useEffect(() => {
    if (isLong) return
    let current = true
    void import('./render-markdown.ts').then(({ renderMarkdown }) => {
      if (current) setRendered({ markdown, nodes: renderMarkdown(markdown) })
    })
    return () => {
      current = false
    }
  }, [markdown, isLong])

  if (markdown.trim() === '') return <p className="text-soft">This page has no text.</p>
  if (isLong)
    return (
      <div className="grid gap-4">
        <Notice title="This page is very long">It is shown as plain Markdown.</Notice>
        <pre className="text-table/5 wrap-anywhere whitespace-pre-wrap">{markdown.slice(0, MAX_SHOWN)}</pre>
      </div>
    )
  if (rendered?.markdown !== markdown) return <Loading>Reading the page…</Loading>
  return <DomNodes as="div" className="rendered-markdown" nodes={rendered.nodes} />
}
