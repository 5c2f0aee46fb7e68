/** "Try in ... Playground": passes a form to the screen of its kind in the history state, to be used once. */
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

type State = { handOver?: { path: PathName; form: unknown } }

/** Opens a playground with its form filled in. */
export function handOver<Form>(path: PathName, form: Form): void {
  navigate(pathTo(path), { state: { handOver: { path, form } } satisfies State })
}

/** The form that was passed to this screen, if any. Does not remove it, because a screen may be rendered again before it is mounted. */
export function handedOverTo<Form>(path: PathName): Form | null {
  const state = window.history.state as State | null
  return state?.handOver?.path === path ? (state.handOver.form as Form) : null
}

/** Removes it after mounting, so that a reload or a later visit does not find it. */
export function useClearHandOver(path: PathName): void {
  useEffect(() => {
    const { handOver: given, ...rest } = (window.history.state ?? {}) as State
    if (given?.path === path) window.history.replaceState(rest, '')
  }, [path])
}
