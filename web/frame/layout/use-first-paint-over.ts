/** Takes what the HTML showed until now out of the document, once a frame of the app stands in its place. */
import { useLayoutEffect } from 'react'

export function useFirstPaintOver(): void {
  useLayoutEffect(() => document.getElementById('first-paint')?.remove(), [])
}
