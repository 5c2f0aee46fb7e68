/** Removes the first paint of the HTML from the document once the app has rendered its frame. */
import { useLayoutEffect } from 'react'

export function useRemoveFirstPaint(): void {
  useLayoutEffect(() => document.getElementById('first-paint')?.remove(), [])
}
