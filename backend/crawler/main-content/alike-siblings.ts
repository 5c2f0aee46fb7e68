import { ElementNode } from '#backend/crawler/html/html-tree.ts'

/** Counts elements that are alike among the children of one parent: each parent is counted once, since it may have thousands of children. */
export class AlikeSiblings {
  readonly #kindOf: (element: ElementNode) => string | null
  readonly #counts = new WeakMap<ElementNode, Map<string, number>>()

  /** @param kindOf  elements of one kind are alike; null is like no other */
  constructor(kindOf: (element: ElementNode) => string | null) {
    this.#kindOf = kindOf
  }

  /** How many elements of its kind stand side by side, itself included; 0 if it is like no other. */
  count(element: ElementNode): number {
    const { parent } = element
    const kind = this.#kindOf(element)
    if (parent === null || kind === null) return 0
    let counts = this.#counts.get(parent)
    if (counts === undefined) {
      counts = new Map()
      for (const child of parent.children) {
        const other = child instanceof ElementNode ? this.#kindOf(child) : null
        if (other !== null) counts.set(other, (counts.get(other) ?? 0) + 1)
      }
      this.#counts.set(parent, counts)
    }
    return counts.get(kind)!
  }
}
