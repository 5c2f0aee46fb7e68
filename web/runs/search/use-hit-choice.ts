/** Which hit of the search over own pages is selected, and how keys and clicks select and open one. */
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { OwnPageHit } from '#contract/own-pages.ts'
import { isComposing } from '#web/ui/form/composing.ts'
import { useIsLargeScreen } from '#web/ui/hooks/use-large-screen.ts'

export type HitChoice = ReturnType<typeof useHitChoice>

export function useHitChoice(hits: readonly OwnPageHit[]) {
  const isLarge = useIsLargeScreen()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const page = useRef<HTMLElement>(null)
  const found = hits.findIndex(({ uuid }) => uuid === chosenId)
  const at = Math.max(0, found)

  const choose = (index: number) => setChosenId(hits[index]?.uuid ?? null)
  const open = (index: number) => {
    choose(index)
    if (isLarge) page.current?.querySelector<HTMLElement>('[role=tabpanel]')?.focus({ preventScroll: true })
    else setReading(hits[index] !== undefined)
  }
  return {
    /** The index of the selected hit: the best one until the user selects another. */
    at,
    hit: hits[at],
    isChosen: chosenId !== null,
    /** A large screen shows the page beside the list. */
    isLarge,
    /** Whether the page covers the list, on a small screen. */
    isReading: isReading && !isLarge,
    /** For the section with the page, which gets the focus when a hit is opened. */
    page,
    choose,
    open,
    close: () => setReading(false),
    /** Selects the best hit again, as for a new query. */
    reset: () => setChosenId(null),
    /** In the query field, the arrow keys move through the hits and the text stays as it is. */
    onKeyDown: (event: KeyboardEvent) => {
      if (isComposing(event) || !(event.target instanceof HTMLInputElement) || hits.length === 0) return
      if (event.key === 'ArrowDown') choose(Math.min(at + (chosenId === null ? 0 : 1), hits.length - 1))
      else if (event.key === 'ArrowUp') choose(Math.max(at - 1, 0))
      else if (event.key === 'Enter') open(at)
      else return
      event.preventDefault()
    },
  }
}
