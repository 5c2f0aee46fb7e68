/** Opens a popover beside its anchor, keeps it there and closes it: for lists, menus and tooltips. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { place } from './place.ts'

type Anchoring = {
  /** The anchor; read whenever the popover is positioned. */
  anchor: () => Element | null | undefined
  align: 'start' | 'center' | 'end'
  side: 'above' | 'below'
  /** Makes it as wide as the anchor, and at least this many pixels. */
  minWidth?: number
  /** Called when it has opened, and after `hide`, to set the focus. */
  onShow?: () => void
  onHide?: () => void
}

/**
 * @returns  `popover` for the element with the attribute `popover`; `button` for a button that opens and closes it;
 *           `isOpen`, which also turns false when the browser closes the popover by itself
 */
export function useAnchoredPopover<Floating extends HTMLElement>({ anchor, align, side, minWidth, onShow, onHide }: Anchoring) {
  const ref = useRef<Floating>(null)
  const pressedOpen = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const isShown = () => ref.current?.matches(':popover-open') === true
  const follow = () => {
    const beside = anchor()
    if (!ref.current || !beside) return
    if (minWidth !== undefined) ref.current.style.width = `${Math.max(beside.getBoundingClientRect().width, minWidth)}px`
    place(ref.current, beside, align, side)
  }
  const followAgain = useEffectEvent(follow)
  useEffect(() => {
    if (!isOpen || !ref.current) return
    // The anchor moves when the window is resized or the page scrolls; the popover's own size changes with what is listed.
    const onMove = () => followAgain()
    const size = new ResizeObserver(onMove)
    size.observe(ref.current)
    window.addEventListener('resize', onMove)
    window.addEventListener('scroll', onMove, { capture: true, passive: true })
    return () => {
      size.disconnect()
      window.removeEventListener('resize', onMove)
      window.removeEventListener('scroll', onMove, { capture: true })
    }
  }, [isOpen])

  const show = () => {
    if (!ref.current || isShown() || !anchor()) return
    ref.current.showPopover()
    follow()
    setOpen(true)
    onShow?.()
  }
  const hide = () => {
    if (isShown()) ref.current?.hidePopover()
    setOpen(false)
    onHide?.()
  }
  return {
    isOpen,
    isShown,
    show,
    hide,
    popover: { ref, onToggle: (event: SyntheticEvent<HTMLElement, ToggleEvent>) => setOpen(event.nativeEvent.newState === 'open') },
    button: {
      // The browser closes the popover on pointerdown; the click that follows must not open it again.
      onPointerDown: () => {
        pressedOpen.current = isShown()
      },
      onClick: () => {
        if (pressedOpen.current || isShown()) hide()
        else show()
        pressedOpen.current = false
      },
    },
  }
}
