/** Parts of a screen that few users open: each is a separate file, so that the screen itself loads sooner. */
import { Suspense, lazy, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import * as t from '#texts/ui.ts'
import { Loading } from './feedback/feedback.tsx'

/**
 * A component that is fetched when it is first drawn, or earlier by `load`, which rejects if the fetch fails. If the fetch fails
 * while the component is drawn, the error boundary of the screen shows it.
 *
 * @param waiting  what to show until it is there
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Loading>{t.loading}</Loading>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  let found: ComponentType<Props> | undefined
  const get = async () => (found ??= await load())
  const Part = lazy(async () => ({ default: await get() })) as unknown as ComponentType<Props>
  function LazyPart(props: Props) {
    // A component that was fetched before is drawn at once. It is not exchanged while it is mounted, which would lose its state.
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
