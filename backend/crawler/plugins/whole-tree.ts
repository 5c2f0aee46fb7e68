/** A document as a complete tree: plugins need the metadata and scripts that the reading tree leaves out. */
import type { TagName } from '#backend/crawler/html/html-names.ts'
import { scanHtml, type HtmlSink } from '#backend/crawler/html/html-scanner.ts'

/** Deeper elements become siblings of their parents, so that every walk may use plain recursion. */
const MAX_DEPTH = 512
const MAX_NODES = 300_000

export class WholeElement {
  /** Lower case; `#root` for the document. */
  readonly name: string
  /** Position of the start tag in the document. */
  readonly order: number
  readonly children: (WholeElement | string)[] = []
  readonly #attributes: string[] | null
  /** @param attributes  alternating names and values */
  constructor(name: string, order: number, attributes: string[] | null) {
    this.name = name
    this.order = order
    this.#attributes = attributes
  }

  /** The value of an attribute, by its name in lower case; undefined when there is none. */
  attribute(name: string): string | undefined {
    const attributes = this.#attributes
    if (attributes !== null) for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1]
    return undefined
  }

  /** This element and all its descendants, in document order. */
  *elements(): Generator<WholeElement> {
    // An explicit stack: with recursive generators, each element would cost its depth.
    const waiting: WholeElement[] = [this]
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      yield element
      for (let at = element.children.length - 1; at >= 0; at--) {
        const child = element.children[at]!
        if (typeof child !== 'string') waiting.push(child)
      }
    }
  }
}

/** Parses HTML into a tree. Never throws; limits depth to 512 and nodes to 300,000. The content of templates is left out. */
export function growWholeTree(html: string, isXml = false): WholeElement {
  const root = new WholeElement('#root', 0, null)
  const open: WholeElement[] = [root]
  let overflow = 0
  let nodes = 0
  let templates = 0
  const sink: HtmlSink = {
    opened({ text: name }: TagName, attributes) {
      const element = new WholeElement(name, nodes + 1, attributes)
      add(element)
      if (name === 'template') templates += 1
      if (open.length >= MAX_DEPTH) overflow += 1
      else open.push(element)
    },
    closed({ text: name }) {
      if (name === 'template') templates -= 1
      if (overflow > 0) overflow -= 1
      else if (open.length > 1) open.pop()
    },
    text(source, start, end) {
      add(source.slice(start, end))
    },
  }
  scanHtml(html, sink, isXml)
  return root

  function add(child: WholeElement | string) {
    if (templates > 0 || nodes >= MAX_NODES) return
    nodes += 1
    open.at(-1)!.children.push(child)
  }
}
