/** Nodes that were made elsewhere, put into the page as they are. No text is parsed as markup on the way: the page's policy forbids it. */
import { useLayoutEffect, useRef } from 'react'
import type { CSSProperties } from 'react'

export type DomNodesProps = { nodes: DocumentFragment; className?: string | undefined; style?: CSSProperties | undefined }

/** `nodes` stays whole: a copy is shown, so that the same fragment can be shown again. */
export function DomNodes({ nodes, className, style }: DomNodesProps) {
  const place = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => place.current?.replaceChildren(nodes.cloneNode(true)), [nodes])
  return <span className={className} style={style} ref={place} />
}
