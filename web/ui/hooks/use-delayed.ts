import { useEffect, useEffectEvent, useState } from 'react'

/** Typing counts as paused after this long without a keystroke. */
const TYPING_MS = 250

/** Passes a text on when typing pauses, trimmed, and follows changes from outside. */
export function useDelayed(value: string, onSettled: (value: string) => void): [text: string, setText: (text: string) => void] {
  /** What was typed, and the value at that time. When the text has been passed on, `of` becomes the value that it caused. */
  const [edit, setEdit] = useState<{ text: string; of: string } | null>(null)
  const isPassedOn = edit?.text.trim() === value
  const isTyped = edit !== null && (edit.of === value || isPassedOn)
  // A value from outside replaces what was typed for good, also when an earlier value returns.
  if (edit !== null && edit.of !== value) setEdit(isPassedOn ? { text: edit.text, of: value } : null)
  const text = isTyped ? edit.text : value
  const settle = useEffectEvent(() => onSettled(text.trim()))
  // Renders for other reasons, such as pages of a running crawl, must not start the wait again.
  useEffect(() => {
    if (text === value || text.trim() === value) return undefined
    const timer = setTimeout(() => settle(), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return [text, (next) => setEdit({ text: next, of: value })]
}
