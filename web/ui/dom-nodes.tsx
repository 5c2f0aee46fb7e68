/** Nodes that were made elsewhere, put into the page as they are. No text is parsed as markup on the way: the page's policy forbids it. */
import { useLayoutEffect, useRef } from 'react'

export type DomNodesProps = { nodes: DocumentFragment; as: 'div' | 'code'; className?: string }

/** `nodes` stays whole: a copy is shown, so that the same fragment can be shown again. */
export function DomNodes({ nodes, as: As, className }: DomNodesProps) {
  const place = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => place.current?.replaceChildren(nodes.cloneNode(true)), [nodes])
  return (
    <As
      className={className}
      ref={(element: HTMLElement | null) => {
        place.current = element
      }}
    />
  )
}
