/** Parts of a screen in files of their own: few open them, and the screen is there sooner without them. */
import { Suspense, lazy, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import * as t from '#texts/ui.ts'
import { Loading } from './feedback/feedback.tsx'

/**
 * A component that is fetched when it is first drawn, or by `load` before that, which rejects where it cannot be had. Where it is
 * drawn and cannot be had, the boundary around the screen says so.
 *
 * @param waiting  stands in its place meanwhile
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Loading>{t.loading}</Loading>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  let found: ComponentType<Props> | undefined
  const get = async () => (found ??= await load())
  const Part = lazy(async () => ({ default: await get() })) as unknown as ComponentType<Props>
  function LazyPart(props: Props) {
    // What has been fetched before is drawn at once. It stays the same as long as it is drawn, and keeps its state.
    const [Ready] = useState(() => found)
    if (Ready) return <Ready {...props} />
    return (
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    )
  }
  return Object.assign(LazyPart, { load: get })
}
