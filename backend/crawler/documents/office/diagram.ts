import { escapeHtml, paragraphsHtml } from '../document.ts'
import type { Paragraph } from '../document.ts'
import { readXml } from '../xml.ts'

const MAX_POINTS = 2000
const MAX_LEVEL = 8

/**
 * The texts of a SmartArt diagram as nested lists, in the order in which they are connected.
 *
 * Source: ECMA-376 part 1, 21.4.3.
 */
export function diagramHtml(xml: string): string {
  const texts = new Map<string, string>()
  const below = new Map<string, { id: string; order: number }[]>()
  let root = ''
  let point: string | null = null
  let isText = false
  readXml(xml, {
    open: (name, attributes) => {
      const { modelId = '', type = name === 'cxn' ? 'parOf' : 'node', srcId = '', destId = '', srcOrd } = attributes
      if (name === 'pt') {
        // The others draw arrows and layouts.
        point = texts.size < MAX_POINTS && /^(?:doc|node|asst)$/.test(type) ? modelId : null
        if (point !== null) texts.set(point, '')
        if (type === 'doc') root = modelId
      } else if (name === 'cxn' && type === 'parOf') {
        const children = below.get(srcId)
        const child = { id: destId, order: Number(srcOrd ?? 0) || 0 }
        if (children === undefined) below.set(srcId, [child])
        else children.push(child)
      } else if (point !== null && name === 'p' && texts.get(point) !== '') texts.set(point, `${texts.get(point)!} `)
      isText = name === 't' && point !== null
    },
    text: (data) => {
      if (isText && point !== null) texts.set(point, texts.get(point)! + data)
    },
    close: (name) => {
      isText = false
      if (name === 'pt') point = null
    },
  })
  const items: Paragraph[] = []
  walk(root, 0)
  return paragraphsHtml(items)

  function walk(id: string, level: number) {
    const children = (below.get(id) ?? []).toSorted((a, b) => a.order - b.order)
    // Once each: a damaged diagram may connect points in a circle.
    below.delete(id)
    for (const child of children) {
      const text = texts.get(child.id)?.trim()
      // Not a point that was read: so the levels are no more than the points.
      if (text === undefined) continue
      if (text !== '') items.push({ html: escapeHtml(text), tag: 'p', marker: 'ul', level: Math.min(level, MAX_LEVEL) })
      walk(child.id, text === '' ? level : level + 1)
    }
  }
}
