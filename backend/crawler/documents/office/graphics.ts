import type { Archive } from '../archive.ts'
import type { Attributes } from '../xml.ts'
import { chartHtml } from './chart.ts'
import { diagramHtml } from './diagram.ts'
import type { Relations } from './package-parts.ts'

/**
 * Reads the charts and SmartArt diagrams that a part refers to, each once.
 *
 * @returns  for an element of the part, the HTML of what it shows; empty for all others
 */
export function graphicsOf(archive: Archive, relations: Relations): (name: string, attributes: Attributes) => string {
  const read = new Set<string>()
  return (name, attributes) => {
    const id = name === 'chart' ? attributes['r:id'] : name === 'relIds' ? attributes['r:dm'] : undefined
    const part = id === undefined ? undefined : relations.get(id)?.target
    if (part === undefined || read.has(part)) return ''
    read.add(part)
    const xml = archive.text(part) ?? ''
    return name === 'chart' ? chartHtml(xml) : diagramHtml(xml)
  }
}
