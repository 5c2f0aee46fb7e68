import { attributeOf, type ElementNode } from './html-tree.ts'

const EMBEDS = new Set(['embed', 'iframe', 'object'])
const PDF_FILE = /\.pdf(?:[?#]|$)/i
/** Viewers such as PDF.js get the file as a parameter: a path or a URL. */
const PARAMETERS = /[?&#](?:file|url|src|pdf)=([^&#]*)/gi
const PATH_OR_URL = /^(?:\/|https?:)/i

/** The URL of a PDF that an element shows within its page, as the page spells it; null for other elements. */
export function embeddedDocument(element: ElementNode): string | null {
  if (!EMBEDS.has(element.name)) return null
  const source = (attributeOf(element, 'src') || attributeOf(element, 'data-src') || attributeOf(element, 'data'))?.trim()
  if (source === undefined || source === '') return null
  for (const [, parameter] of source.matchAll(PARAMETERS)) {
    const file = decoded(parameter!)
    if (PATH_OR_URL.test(file) && PDF_FILE.test(file)) return file
  }
  if (PDF_FILE.test(source) || /^application\/pdf\b/i.test(attributeOf(element, 'type') ?? '')) return source
  return null
}

function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter)
  } catch {
    return parameter
  }
}
