import { useEffectEvent, useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/** A modal with the focus in its field; on close the focus returns. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    const root = document.documentElement
    root.toggleAttribute('data-scrolls', root.scrollHeight > root.clientHeight)
    element.showModal()
    element.querySelector('input')?.focus()
    const cancel = (event: Event) => {
      event.preventDefault()
      close()
    }
    const closed = () => close()
    element.addEventListener('cancel', cancel)
    element.addEventListener('close', closed)
    return () => {
      element.removeEventListener('cancel', cancel)
      element.removeEventListener('close', closed)
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [dialog])
}
