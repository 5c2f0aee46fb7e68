/** A short text beside an element, on hover and focus. It is in the top layer, so nothing clips it. */
import { useId, useRef } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { cloneElement } from 'react'
import { HelpIcon } from '#web/ui/icons.tsx'
import { useAnchoredPopover } from '#web/ui/dialog/use-anchored-popover.ts'
import * as t from '#texts/ui.ts'

type Anchor = { 'aria-describedby'?: string | undefined }

/** Adds `text` to its one child, which must be focusable. */
function Tooltip({ text, children }: { text: ReactNode; children: ReactElement<Anchor> }) {
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const { popover, show, hide } = useAnchoredPopover<HTMLSpanElement>({
    anchor: () => root.current?.firstElementChild,
    align: 'center',
    side: 'above',
  })
  return (
    <span
      ref={root}
      className="inline-flex"
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span
        {...popover}
        id={id}
        role="tooltip"
        popover="manual"
        className="pointer-events-none fixed inset-auto m-0 max-w-60 rounded-control bg-tip px-2.5 py-1.5 text-label font-normal whitespace-normal text-on-tip shadow-float"
      >
        {text}
      </span>
    </span>
  )
}

/** A question mark with an explanation. */
export function HelpTip({ text, about }: { text: string; about: string }) {
  return (
    <Tooltip text={text}>
      <button
        type="button"
        aria-label={t.about(about)}
        // Safari does not focus a button that is tapped, and the pointer leaves with the finger.
        onClick={(event) => event.currentTarget.focus()}
        className="grid size-4 place-items-center rounded-full text-faint hover:text-ink"
      >
        <HelpIcon className="size-3.5" />
      </button>
    </Tooltip>
  )
}
