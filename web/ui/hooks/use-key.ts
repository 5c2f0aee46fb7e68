/** A keyboard shortcut for a screen: inactive while typing, and behind a dialog. */
import { useEffect, useEffectEvent } from 'react'

/** @param key  the value of `KeyboardEvent.key`, letters in lower case */
export function useKey(key: string, act: () => void, active = true): void {
  const onKey = useEffectEvent(act)
  useEffect(() => {
    if (!active) return
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      event.preventDefault()
      onKey()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [key, active])
}

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('dialog:modal, :popover-open[role=menu]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null)
