/** Parses XML parts of documents as a stream of events: builds no tree, expands no entities, loads nothing. */
import { Parser } from 'htmlparser2'

export type Attributes = Record<string, string>

export type XmlReader = {
  /**
   * `name` and attribute names come without their prefix, because producers choose prefixes freely. `prefix` is that of the element, empty
   * without one.
   */
  open?: (name: string, attributes: Attributes, prefix: string) => void
  close?: (name: string) => void
  text?: (data: string) => void
}

/** Documents nest a few dozen levels. The limit exists because the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1000

/**
 * Calls a reader for each element and text in order. Damaged XML is read as far as possible.
 *
 * @throws {Error} when elements are nested more than 1,000 deep
 */
export function readXml(xml: string, reader: XmlReader): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw new Error('nested too deep')
        reader.open?.(localName(name), withLocalNames(attributes), name.slice(0, Math.max(0, name.indexOf(':'))))
      },
      onclosetag: (name) => {
        depth--
        reader.close?.(localName(name))
      },
      ontext: (data) => reader.text?.(data),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}

/** The text of the first element with each of the names. For small parts such as properties. */
export function textsOf(xml: string, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  let open: string | null = null
  readXml(xml, {
    open: (name) => {
      if (open === null && names.includes(name) && !found.has(name)) {
        open = name
        found.set(name, '')
      }
    },
    text: (data) => {
      if (open !== null && found.get(open)!.length < 4096) found.set(open, found.get(open)! + data)
    },
    close: (name) => {
      if (name === open) open = null
    },
  })
  for (const [name, text] of found) if (text.trim() === '') found.delete(name)
  return found
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Adds names without prefix, unless that name exists, so that `r:id` does not hide `id`; the prefixed names stay too. */
function withLocalNames(attributes: Attributes): Attributes {
  const local: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    local[name] = value
    const short = localName(name)
    if (!(short in local) && !(short in attributes)) local[short] = value
  }
  return local
}
