import { useEffect, useState } from 'react'

/** Typing counts as paused after this long without a keystroke. */
const TYPING_MS = 250

/** Passes a text on when typing pauses, trimmed, and follows changes from outside. */
export function useDelayed(value: string, onSettled: (value: string) => void): [text: string, setText: (text: string) => void] {
  const [edit, setEdit] = useState<{ text: string; of: string } | null>(null)
  const text = edit !== null && edit.of === value ? edit.text : value
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onSettled(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  })
  return [text, (next) => setEdit({ text: next, of: value })]
}
