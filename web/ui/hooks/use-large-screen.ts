import { useSyncExternalStore } from 'react'
import { LARGE_SCREEN, MEDIUM_SCREEN } from '#web/ui/limits.ts'

/** Whether the sidebar is beside the content, and so whether there is room for two columns. */
export const useIsLargeScreen = createMediaHook(LARGE_SCREEN)

/** Whether a list and its chosen entry are shown side by side; otherwise one replaces the other. */
export const useIsMediumScreen = createMediaHook(MEDIUM_SCREEN)

function createMediaHook(media: string): () => boolean {
  const watch = (onChange: () => void) => {
    const query = window.matchMedia(media)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }
  const matches = () => window.matchMedia(media).matches
  return () => useSyncExternalStore(watch, matches)
}
