import { useEffect, useState } from 'react'

/** Typing asks the server once one pauses. */
const TYPING_MS = 250

/** A text that is given on once one pauses, without spaces at its ends, and follows when it changes from outside. */
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
