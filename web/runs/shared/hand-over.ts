/** "Try in ... Playground": a form, carried to the screen of its kind by the navigation itself, and taken once. */
import { useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

type State = { handOver?: { path: PathName; form: unknown } }

/** Goes to a work screen with its form filled in. */
export function handOver<Form>(path: PathName, form: Form): void {
  navigate(pathTo(path), { state: { handOver: { path, form } } satisfies State })
}

/** The form that was handed over to this screen, if any. Reads only: a screen may be drawn anew before it stands. */
export function handedOverTo<Form>(path: PathName): Form | null {
  const state = window.history.state as State | null
  return state?.handOver?.path === path ? (state.handOver.form as Form) : null
}

/** Once the screen stands, what was handed over is its own: a reload or a later visit no longer finds it. */
export function useTakenHandOver(path: PathName): void {
  useEffect(() => {
    const { handOver: given, ...rest } = (window.history.state ?? {}) as State
    if (given?.path === path) window.history.replaceState(rest, '')
  }, [path])
}
