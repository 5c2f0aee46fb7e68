/** "Try in ... Playground": a form, carried to the screen of its kind by the navigation itself, and taken once. */
import { navigate } from 'wouter/use-browser-location'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

type State = { handOver?: { path: PathName; form: unknown } }

/** Goes to a work screen with its form filled in. */
export function handOver<Form>(path: PathName, form: Form): void {
  navigate(pathTo(path), { state: { handOver: { path, form } } satisfies State })
}

/** The form that was handed over to this screen, if any. A reload or a later visit no longer finds it. */
export function takeHandOver<Form>(path: PathName): Form | null {
  const state = window.history.state as State | null
  if (state?.handOver?.path !== path) return null
  const { handOver: given, ...rest } = state
  window.history.replaceState(rest, '')
  return given.form as Form
}
