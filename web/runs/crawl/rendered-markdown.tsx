/** Renders Markdown part by part. A very long text is cut until the user asks for all of it. */
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { MAX_PREVIEW } from '#web/ui/limits.ts'
import { nextTask } from '#web/ui/hooks/next-task.ts'
import { beginningOf } from '#web/ui/code/text-slices.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/stored-page.ts'

/** @param language  the page's language, for screen readers and for the choice of glyphs; null if the page declares none */
export function RenderedMarkdown({ markdown, language }: { markdown: string; language: string | null }) {
  const [all, setAll] = useState(false)
  if (markdown.trim() === '') return <p className="text-soft">{t.thisPageHasNoText}</p>
  const beginning = beginningOf(markdown, MAX_PREVIEW)
  if (beginning.length === markdown.length) return <Rendered markdown={markdown} language={language} />
  if (all) return <CodeBlock label={t.markdown} code={markdown} language="text" whole wrap />
  return (
    <div className="grid min-w-0 gap-4">
      <Notice
        title={t.thisPageIsVeryLong}
        action={
          <Button size="small" onClick={() => setAll(true)}>
            {t.showAll}
          </Button>
        }
      >
        {t.theseAreTheFirstOfCharacters(numberText(beginning.length), numberText(markdown.length))}
      </Notice>
      <Rendered markdown={beginning} language={language} />
    </div>
  )
}

function Rendered({ markdown, language }: { markdown: string; language: string | null }) {
  const place = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState(false)
  const [failure, setFailure] = useState<{ markdown: string; details: string } | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const render = async () => {
      const { renderedParts } = await import('./render-markdown.ts')
      const parts = renderedParts(markdown)
      for (let part = parts.next(); !stop.signal.aborted && !part.done; part = parts.next()) {
        const wide = part.value.querySelectorAll<HTMLElement>('pre, [data-scroll]')
        place.current?.append(part.value)
        setBegun(true)
        await nextTask()
        letKeysScroll(wide)
      }
    }
    render().catch((cause: unknown) => {
      if (!stop.signal.aborted) setFailure({ markdown, details: String(cause) })
    })
    const element = place.current
    return () => {
      stop.abort()
      element?.replaceChildren()
    }
  }, [markdown, attempt])
  const again = () => {
    setFailure(null)
    setAttempt(attempt + 1)
  }
  if (failure?.markdown === markdown)
    return (
      <ErrorState title={t.thePageCouldNotBeLoaded} details={failure.details} onRetry={again}>
        {t.itIsStoredTryAgainIn}
      </ErrorState>
    )
  return (
    <>
      {!begun && <Loading>{t.readingThePage}</Loading>}
      <div ref={place} lang={language ?? undefined} className="rendered-markdown min-w-0" />
    </>
  )
}

/** Makes elements with a horizontal scroll bar focusable, so that arrow keys scroll them in every browser. */
function letKeysScroll(elements: Iterable<HTMLElement>): void {
  for (const element of [...elements].filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)) element.tabIndex = 0
}
