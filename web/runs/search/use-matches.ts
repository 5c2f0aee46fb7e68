/** Highlights the matches in a stored page without changing its DOM, and steps through them. */
import { useEffect, useState } from 'react'

/** Names of the CSS highlights; `stored-page.css` colours them. */
const ALL = 'page-matches'
const CURRENT = 'page-match'
const MOST = 2000

export type Matches = { count: number; at: number; step: (by: number) => void }

/**
 * @param place    the element that contains the page; null while there is none
 * @param pattern  what to highlight; null for nothing
 */
export function useMatches(place: HTMLElement | null, pattern: RegExp | null): Matches {
  const [ranges, setRanges] = useState<readonly Range[]>([])
  const [at, setAt] = useState(0)
  const source = pattern?.source ?? null

  useEffect(() => {
    if (place === null || source === null || !('highlights' in CSS)) return
    const wanted = new RegExp(source, 'giu')
    let known: readonly Range[] = []
    const look = () => {
      const found = rangesOf(place, wanted)
      // The mutation may have changed only the controls beside the text.
      if (isSame(found, known)) return
      known = found
      CSS.highlights.set(ALL, new Highlight(...found))
      CSS.highlights.delete(CURRENT)
      setRanges(found)
      setAt(0)
    }
    // The text is rendered after the element around it, and other views of the page replace it.
    const watcher = new MutationObserver(look)
    watcher.observe(place, { childList: true, subtree: true, characterData: true })
    look()
    return () => {
      watcher.disconnect()
      CSS.highlights.delete(ALL)
      CSS.highlights.delete(CURRENT)
      setRanges([])
    }
  }, [place, source])

  return {
    count: ranges.length,
    at,
    step: (by) => {
      const next = ranges.length === 0 ? 0 : (at + by + ranges.length) % ranges.length
      const range = ranges[CSS.highlights.has(CURRENT) ? next : at]
      if (!range) return
      setAt(ranges.indexOf(range))
      CSS.highlights.set(CURRENT, new Highlight(range))
      scrollToMatch(range)
    },
  }
}

/** Matches in the text itself, not in the controls around it. */
function rangesOf(place: HTMLElement, pattern: RegExp): Range[] {
  const found: Range[] = []
  for (const text of place.querySelectorAll('.rendered-markdown')) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() && found.length < MOST) {
      for (const { 0: words, index } of (walker.currentNode.nodeValue ?? '').matchAll(pattern)) {
        const range = document.createRange()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + words.length)
        found.push(range)
      }
    }
  }
  return found
}

const isSame = (found: readonly Range[], known: readonly Range[]) =>
  found.length === known.length &&
  found.every(({ startContainer, startOffset }, index) => {
    const before = known[index]
    return before?.startContainer === startContainer && before.startOffset === startOffset
  })

/** Scrolls the match into view, inside the page's scroll box only. */
function scrollToMatch(range: Range): void {
  const box = range.startContainer.parentElement?.closest('[role=tabpanel]')
  if (!box) return
  const { top, height } = range.getBoundingClientRect()
  const from = box.getBoundingClientRect()
  box.scrollTop += top + height / 2 - (from.top + from.height / 2)
}
