/** The tools beside a page in the full window: search, outline and the page's screenshot. */
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { TextField } from '#web/ui/form/field.tsx'
import { SearchIcon } from '#web/ui/icons.tsx'
import { safeHref } from '#web/ui/outside-link.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/page-tools.ts'
import { outlineOf } from './outline.ts'
import type { OutlineEntry } from './outline.ts'
import type { PageRow } from './use-crawl.ts'

/** How many matches are highlighted and counted. */
const MOST_MATCHES = 500
/** Names of the CSS highlights. */
const ALL = 'page-find'
const CURRENT = 'page-find-current'

type PageToolsProps = { row: PageRow; place: RefObject<HTMLElement | null> }

const textIn = (place: PageToolsProps['place']) => place.current?.querySelector<HTMLElement>('.rendered-markdown') ?? null

export function PageTools({ row, place }: PageToolsProps) {
  const outline = useOutline(place)
  const shot = row.attachments.find(({ attachment_type }) => attachment_type === 'screenshot')
  const picture = shot === undefined ? null : safeHref(shot.attachment)
  return (
    <aside aria-label={t.pageTools} className="grid min-h-0 content-start gap-4 overflow-y-auto p-4 max-lg:hidden">
      <Find key={row.uuid} place={place} />
      {picture !== null && (
        <a href={picture} target="_blank" rel="noreferrer" title={t.openTheScreenshotInFullSize}>
          <img src={picture} alt={t.screenshotOf(row.url)} className="w-full rounded-control border border-line" />
        </a>
      )}
      {outline.length > 0 && (
        <nav aria-label={t.outline}>
          <h3 className="mb-1 text-label font-medium text-soft">{t.outline}</h3>
          <ol className="text-table">
            {outline.map(({ level, text, heading }, index) => (
              <li key={index} style={{ paddingLeft: `${(level - 1) * 12}px` }}>
                <button
                  type="button"
                  className="block w-full truncate rounded-small py-1 text-left text-soft hover:text-ink"
                  onClick={() => heading.scrollIntoView({ block: 'start', behavior: 'instant' })}
                >
                  {text}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </aside>
  )
}

/** The outline of the text on the screen; empty while another view of the page is shown. Follows the text as its parts are added. */
function useOutline(place: PageToolsProps['place']): readonly OutlineEntry<HTMLElement>[] {
  const [outline, setOutline] = useState<readonly OutlineEntry<HTMLElement>[]>([])
  useEffect(() => {
    if (place.current === null) return
    const look = () => {
      const now = outlineOf(textIn(place)?.querySelectorAll<HTMLElement>('[data-level]') ?? [])
      // Changes elsewhere, such as those of the outline itself, draw nothing again.
      setOutline((before) =>
        before.length === now.length && before.every(({ heading }, index) => heading === now[index]?.heading) ? before : now,
      )
    }
    const changes = new MutationObserver(look)
    changes.observe(place.current, { childList: true, subtree: true })
    look()
    return () => changes.disconnect()
  }, [place])
  return outline
}

function Find({ place }: { place: PageToolsProps['place'] }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState({ count: 0, at: 0 })
  const ranges = useRef<Range[]>([])
  useEffect(() => clear, [])
  const show = (at: number) => {
    const range = ranges.current[at]
    setFound({ count: ranges.current.length, at })
    if (!range) return
    CSS.highlights?.set(CURRENT, new Highlight(range))
    range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' })
  }
  const look = (wanted: string) => {
    setText(wanted)
    clear()
    const inside = textIn(place)
    ranges.current = wanted.trim() === '' || inside === null ? [] : matchesIn(inside, wanted.trim())
    CSS.highlights?.set(ALL, new Highlight(...ranges.current))
    show(0)
  }
  const { at, count } = found
  return (
    <form
      role="search"
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        // On the playground this dialog is inside the crawl form, which Enter would submit.
        event.stopPropagation()
        if (count > 0) show((at + 1) % count)
      }}
    >
      <TextField
        label={t.searchWithinThePage}
        hideLabel
        type="search"
        size="small"
        icon={SearchIcon}
        placeholder={t.searchWithinThePage}
        value={text}
        onChange={look}
      />
      <p role="status" className="num min-h-4 text-label text-faint">
        {text.trim() !== '' &&
          (count === 0 ? t.notFound : t.matchOfAll(numberText(at + 1), numberText(count), count === MOST_MATCHES ? '+' : ''))}
      </p>
    </form>
  )
}

function clear(): void {
  CSS.highlights?.delete(ALL)
  CSS.highlights?.delete(CURRENT)
}

/** Case-insensitive matches inside an element, as ranges. A match never spans two text nodes. */
function matchesIn(element: HTMLElement, wanted: string): Range[] {
  const needle = wanted.toLowerCase()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MATCHES; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    // Skip a text whose length changes in lower case: the positions of its matches would be wrong.
    if (text.length !== node.nodeValue?.length) continue
    for (let at = text.indexOf(needle); at !== -1 && ranges.length < MOST_MATCHES; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + needle.length)
      ranges.push(range)
    }
  }
  return ranges
}
