/** Inserts existing nodes into the page. It parses no HTML, which the content security policy forbids. */
import { useLayoutEffect, useRef } from 'react'
import type { CSSProperties } from 'react'

export type DomNodesProps = { nodes: DocumentFragment; className?: string | undefined; style?: CSSProperties | undefined }

/** `nodes` is not consumed: a copy is inserted, so that the same fragment can be shown again. */
export function DomNodes({ nodes, className, style }: DomNodesProps) {
  const place = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => place.current?.replaceChildren(nodes.cloneNode(true)), [nodes])
  return <span className={className} style={style} ref={place} />
}
