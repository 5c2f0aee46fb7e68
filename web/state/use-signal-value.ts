/** Connects a signal to React. No other file uses the library for that. */
import type { ReadonlySignal } from '@preact/signals-react'
import { useCallback, useSyncExternalStore } from 'react'

/** The signal's value; the component renders again when it changes. */
export function useSignalValue<T>(source: ReadonlySignal<T>): T {
  const subscribe = useCallback((changed: () => void) => source.subscribe(() => changed()), [source])
  return useSyncExternalStore(subscribe, () => source.peek())
}
