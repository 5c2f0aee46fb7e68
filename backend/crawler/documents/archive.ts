/**
 * Opens zip archives that hold documents (Office Open XML, OpenDocument, EPUB).
 *
 * Archives are untrusted, so the sizes in their directory only count as upper bounds: a part is never unpacked to more bytes than its entry
 * declares, and the declared total is checked before anything is unpacked.
 */
import { unzipSync } from 'fflate'
import { decodeMarkup } from '#backend/crawler/html/charset.ts'

export type Archive = {
  has: (name: string) => boolean
  /** The part's bytes, null when it is absent or too large. */
  bytes: (name: string) => Uint8Array | null
  /** The part as text, by its byte order mark or XML declaration; null when it is absent or too large. */
  text: (name: string) => string | null
}

const MAX_ENTRIES = 20_000
/** Each part that is read scans the directory again; this limits the scanned entries per archive. Two million take about a second. */
const MAX_WALKED = 2_000_000
/** Largest unpacked part: 16 MiB of XML is a book of several thousand pages. */
const MAX_PART_BYTES = 16 * 1024 * 1024
/** Most unpacked bytes of all parts that are read from one archive. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024

/**
 * Reads the directory of a zip archive; parts are unpacked on demand.
 *
 * @returns null when the bytes are no zip archive, or its directory is damaged or has more than 20,000 entries
 */
export function openArchive(zip: Uint8Array): Archive | null {
  const sizes = new Map<string, number>()
  const spellings = new Map<string, string>()
  let entries = 0
  try {
    unzipSync(zip, {
      filter: (entry) => {
        if (++entries > MAX_ENTRIES) throw new Error('too many entries')
        sizes.set(entry.name, entry.originalSize)
        spellings.set(plainName(entry.name), entry.name)
        return false
      },
    })
  } catch {
    return null
  }
  let unpacked = 0
  let walked = 0
  const nameOf = (name: string) => (sizes.has(name) ? name : (spellings.get(plainName(name)) ?? name))
  const bytes = (part: string): Uint8Array | null => {
    const name = nameOf(part)
    const size = sizes.get(name)
    if (size === undefined || size > MAX_PART_BYTES || unpacked + size > MAX_TOTAL_BYTES || walked + entries > MAX_WALKED) return null
    unpacked += size
    walked += entries
    try {
      return unzipSync(zip, { filter: (entry) => entry.name === name })[name] ?? null
    } catch {
      return null
    }
  }
  return {
    has: (name) => sizes.has(nameOf(name)),
    bytes,
    text: (name) => {
      const part = bytes(name)
      return part === null ? null : decodeMarkup(part, null, true)
    },
  }
}

/** The spelling by which a name is found that the archive spells otherwise: in capitals, or with the separators of Windows. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('\\', '/')
}

/** Resolves the target of a relation against the part that contains it: `../media/a.png` from `ppt/slides/slide1.xml`. */
export function partName(from: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const segments = from.split('/').slice(0, -1)
  for (const segment of target.split('/'))
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  return segments.join('/')
}
