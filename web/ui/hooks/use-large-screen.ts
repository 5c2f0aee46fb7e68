import { useSyncExternalStore } from 'react'
import { LARGE_SCREEN, MEDIUM_SCREEN } from '#web/ui/form/limits.ts'

/** Whether the sidebar stands beside the content, and with it whether there is room for two columns. */
export const useIsLargeScreen = whetherMatches(LARGE_SCREEN)

/** Whether a list and what is chosen of it stand side by side rather than in turns. */
export const useIsMediumScreen = whetherMatches(MEDIUM_SCREEN)

function whetherMatches(media: string): () => boolean {
  const watch = (onChange: () => void) => {
    const query = window.matchMedia(media)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }
  const matches = () => window.matchMedia(media).matches
  return () => useSyncExternalStore(watch, matches)
}
