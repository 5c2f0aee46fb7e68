/**
 * Converts the highlighter's HTML to nodes. It parses only spans with a class and five entities; everything else stays text. Pure, except
 * that `document` creates the nodes.
 */
const PIECE = /<span class="([\w\s-]*)">|<\/span>|([^<]+|<)/g
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

export function colouredNodes(markup: string, document: Pick<Document, 'createDocumentFragment' | 'createElement'>): DocumentFragment {
  const nodes = document.createDocumentFragment()
  const open: (DocumentFragment | HTMLElement)[] = [nodes]
  for (const [piece, className, text] of markup.matchAll(PIECE)) {
    const inside = open.at(-1) ?? nodes
    if (text !== undefined) inside.append(text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity))
    else if (piece === '</span>') {
      if (open.length > 1) open.pop()
    } else {
      const span = document.createElement('span')
      span.className = className ?? ''
      inside.append(span)
      open.push(span)
    }
  }
  return nodes
}
