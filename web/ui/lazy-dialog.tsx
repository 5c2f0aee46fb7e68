/** Dialogs that few users open: each is a separate file, so that the screen itself loads sooner. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { ComponentType } from 'react'
import * as t from '#texts/ui.ts'
import { toast } from './feedback/toaster.tsx'

/**
 * A dialog that is fetched when it is first drawn, or earlier by `load`, which reports nothing. If the fetch fails while the dialog is drawn,
 * a toast says so and the dialog closes: the screen behind it, with what the user has entered, stays. The next opening tries again.
 */
export function lazyDialog<Props extends { onClose: () => void }>(
  fetchIt: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { load: () => void } {
  let found: ComponentType<Props> | undefined
  const get = async () => (found ??= await fetchIt())
  function LazyDialog(props: Props) {
    const [Ready, setReady] = useState(() => found)
    const close = useEffectEvent(props.onClose)
    useEffect(() => {
      let isGone = false
      get().then(
        (Dialog) => !isGone && setReady(() => Dialog),
        (cause: unknown) => {
          if (isGone) return
          console.warn('a dialog could not be loaded', cause)
          toast.error(t.thisCouldNotBeLoaded)
          close()
        },
      )
      return () => {
        isGone = true
      }
    }, [])
    return Ready ? <Ready {...props} /> : null
  }
  return Object.assign(LazyDialog, { load: () => void get().catch(() => undefined) })
}
