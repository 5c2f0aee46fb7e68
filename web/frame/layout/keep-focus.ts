/**
 * When the element with the focus is removed or disabled, browsers drop the focus: screen readers then begin at the top of the page. Here
 * it moves to what is next to it instead.
 */

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Watches the whole page, from now on. */
export function keepFocus(): void {
  let focused = document.activeElement
  document.addEventListener('focusin', () => (focused = document.activeElement))
  const forget = () => {
    if (isLost()) focused = null
  }
  // A click beside all controls takes the focus away on purpose. Removing an element fires this event too, just before the removal: the
  // observer is then called after the first of these tasks and before the second.
  document.addEventListener('focusout', () => queueMicrotask(() => queueMicrotask(forget)))
  new MutationObserver((records) => {
    const lost = focused
    if (lost === null || (lost.isConnected && !lost.matches(':disabled'))) return
    const record = records.find(({ removedNodes, target, type }) =>
      type === 'attributes' ? target === lost : [...removedNodes].some((node) => node.contains(lost)),
    )
    if (!record) return
    const near = placeNear(record, lost)
    // First let the screen set the focus itself, as after closing a dialog. A disabled element loses it some time after the next frame was drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (isLost() || document.activeElement?.matches(':disabled')) focus(near.find(({ isConnected }) => isConnected))
      }),
    )
  }).observe(document.body, { attributeFilter: ['disabled'], childList: true, subtree: true })
}

/** Where the focus can go, the best place first: the same control of the next row or item, or of the one before; the element around. */
function placeNear({ nextSibling, previousSibling, removedNodes, target }: MutationRecord, lost: Element): HTMLElement[] {
  const item = [...removedNodes].find((node): node is Element => node instanceof Element && node.matches('tr, li') && node.contains(lost))
  const at = item ? controlsOf(item).indexOf(lost as HTMLElement) : -1
  const beside = [nextSibling, previousSibling].flatMap((node) => {
    if (at === -1 || !(node instanceof Element)) return []
    const controls = controlsOf(node)
    return controls[Math.min(at, controls.length - 1)] ?? []
  })
  const around = target === lost ? target.parentElement : target
  return around instanceof HTMLElement && around !== document.body ? [...beside, around] : beside
}

const controlsOf = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)]

/** Focuses an element, also one that is no control; that one can take the focus until it loses it. */
function focus(element: HTMLElement | undefined): void {
  if (!element) return
  if (!element.matches(FOCUSABLE) && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
