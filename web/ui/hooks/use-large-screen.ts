import { useSyncExternalStore } from 'react'
import { LARGE_SCREEN } from '#web/ui/form/limits.ts'

/** Whether the sidebar stands beside the content, and with it whether there is room for two columns. */
export const useIsLargeScreen = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(LARGE_SCREEN).matches)

function watch(onChange: () => void): () => void {
  const query = window.matchMedia(LARGE_SCREEN)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
