/** How React follows a signal. No other file of ours knows. */
import type { ReadonlySignal } from '@preact/signals-react'
import { useCallback, useSyncExternalStore } from 'react'

/** The signal's value; the component is drawn again when it changes. */
export function useSignalValue<T>(source: ReadonlySignal<T>): T {
  const subscribe = useCallback((changed: () => void) => source.subscribe(() => changed()), [source])
  return useSyncExternalStore(subscribe, () => source.peek())
}
