/** Reads XML parts of documents as a stream of events: no tree is built, no entity is expanded, nothing is loaded from elsewhere. */
import { Parser } from 'htmlparser2'

export type Attributes = Record<string, string>

export type XmlReader = {
  /** `name` and the names of attributes without their prefix: producers choose prefixes freely. */
  open?: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (data: string) => void
}

/** Documents nest a few dozen levels; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1000

/**
 * Tells a reader of each element and text of an XML text, in its order. Damaged XML is read as far as it makes sense.
 *
 * @throws {Error} when elements are nested more than 1,000 deep
 */
export function readXml(xml: string, reader: XmlReader): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw new Error('nested too deep')
        reader.open?.(localName(name), withLocalNames(attributes))
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

/** Text of each element that has one of the names, by name; the first of a name counts. For small parts such as properties. */
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

/** Characters of an address that a document links to, which any number of its links may share. */
const MAX_TARGET_LENGTH = 8192

/** Relations of an Office Open XML part: id to target. External targets are addresses, internal ones names of parts. */
export function relationsOf(xml: string | null): Map<string, { target: string; type: string; isExternal: boolean }> {
  const relations = new Map<string, { target: string; type: string; isExternal: boolean }>()
  if (xml === null) return relations
  readXml(xml, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || relations.size >= 50_000) return
      const { Id, Target, Type = '', TargetMode } = attributes
      if (Id !== undefined && Target !== undefined && Target.length <= MAX_TARGET_LENGTH)
        relations.set(Id, { target: Target, type: Type.slice(Type.lastIndexOf('/') + 1), isExternal: TargetMode === 'External' })
    },
  })
  return relations
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Without a prefix stays what had none, so that `r:id` does not hide `id`; what had one is there as `r:id` too. */
function withLocalNames(attributes: Attributes): Attributes {
  const local: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    local[name] = value
    const short = localName(name)
    if (!(short in local) && !(short in attributes)) local[short] = value
  }
  return local
}
