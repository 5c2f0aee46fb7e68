const GAP = 6
const MARGIN = 8

/**
 * Positions an open popover (fixed, in the top layer) beside its anchor, inside the window: it flips to the other side when there is no
 * room, and shifts until it fits.
 */
export function place(floating: HTMLElement, anchor: Element, align: 'start' | 'center' | 'end', side: 'above' | 'below'): void {
  const from = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const wished = { start: from.left, center: from.left + (from.width - width) / 2, end: from.right - width }[align]
  const left = Math.max(MARGIN, Math.min(wished, room.width - width - MARGIN))
  const above = from.top - GAP - height
  const below = from.bottom + GAP
  const fitsBelow = below + height + MARGIN <= room.height
  const top = side === 'above' ? (above >= MARGIN ? above : below) : fitsBelow || above < MARGIN ? below : above
  floating.style.left = `${Math.round(left)}px`
  floating.style.top = `${Math.round(Math.max(MARGIN, top))}px`
}
