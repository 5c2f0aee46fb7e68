/**
 * How the document of a page is stored.
 *
 * Most readers want its Markdown or its metadata, and escaping a long text for JSON and back takes longer than hashing or sending it:
 * 30 of 655 µs to read a page, 10 of 490 to index it. So the Markdown is stored as it is, below two lines of JSON. A short document is
 * stored as JSON alone, and so is a very long one: its JSON is sent as it is read, without holding up the event loop of the API.
 */
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'

/** What `page_body.encoding` says: JSON, the same packed with zstd (earlier versions wrote no other), or lines and Markdown, packed. */
const JSON_TEXT = 0
const PACKED_JSON = 1
const PACKED_LINES = 2

/** Shorter documents are not worth packing. */
const LEAST_PACKED_BYTES = 512

/** Documents are written one after the other, and making room for each takes longer than writing it: 4.2 and 0.4 of 520 µs. */
const room = Buffer.alloc(256 * 1024)

/** UTF-8 of a text has at most three bytes for each of its characters, as `length` counts them. */
const MOST_CHARACTERS = room.length / 3

/** `rawBytes`: its size before it was packed. */
export type PageBody = { encoding: number; rawBytes: number; body: Uint8Array<ArrayBuffer> }

/** A document as it is stored. Other fields follow `metadata` and `markdown` in their order. */
export type StoredDocument = { metadata: Record<string, unknown>; markdown: string; [field: string]: unknown }

/**
 * Packs a document.
 *
 * @param others  the fields beside metadata and Markdown: the JSON text of an object
 */
export function packDocument(metadata: Record<string, unknown>, markdown: string, others: string): PageBody {
  const first = JSON.stringify(metadata)
  const characters = first.length + others.length + markdown.length
  if (characters < LEAST_PACKED_BYTES || characters + 2 > MOST_CHARACTERS) {
    const raw = Buffer.from(jsonOf(first, others, markdown))
    return raw.length < LEAST_PACKED_BYTES ? bodyOf(JSON_TEXT, raw.length, raw) : bodyOf(PACKED_JSON, raw.length, pack(raw))
  }
  const length = room.write(`${first}\n${others}\n`)
  const end = length + room.write(markdown, length)
  return bodyOf(PACKED_LINES, end, pack(room.subarray(0, end)))
}

const pack = (raw: Buffer) => unbroken(() => zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }))

/** The bytes get a buffer of their own: what zlib hands out may be a slice of something larger. */
const bodyOf = (encoding: number, rawBytes: number, body: Uint8Array): PageBody => ({ encoding, rawBytes, body: new Uint8Array(body) })

/** A document that is stored: its bytes, not packed any more, and how they are to be read. */
export type UnpackedBody = { encoding: number; raw: Buffer }

/** Unpacks at once. Throws what zlib throws, for bytes that are damaged. */
export function unpackBody({ encoding, body }: Pick<PageBody, 'encoding'> & { body: Uint8Array }): UnpackedBody {
  return { encoding, raw: encoding === JSON_TEXT ? Buffer.from(body) : unbroken(() => zstdDecompressSync(body)) }
}

/** The same outside of the event loop, for long documents. */
export async function unpackBodyOutside({ encoding, body }: Pick<PageBody, 'encoding'> & { body: Uint8Array }): Promise<UnpackedBody> {
  return { encoding, raw: encoding === JSON_TEXT ? Buffer.from(body) : await unbroken(() => unpackOutside(body)) }
}

const unpackOutside = promisify(zstdDecompress)

/** The whole document as JSON text. */
export function documentJson({ encoding, raw }: UnpackedBody): Buffer {
  if (encoding !== PACKED_LINES) return raw
  const { metadata, others, markdown } = linesOf(raw)
  return Buffer.from(jsonOf(metadata, others, markdown))
}

/** The whole document. Throws a SyntaxError for what is no JSON. */
export function readDocument({ encoding, raw }: UnpackedBody): StoredDocument {
  if (encoding !== PACKED_LINES) return JSON.parse(raw.toString()) as StoredDocument
  const { metadata, others, markdown } = linesOf(raw)
  return { metadata: JSON.parse(metadata) as StoredDocument['metadata'], markdown, ...(JSON.parse(others) as object) }
}

/** JSON text has no line breaks of its own: the first two end its lines. */
function linesOf(raw: Buffer): { metadata: string; others: string; markdown: string } {
  const text = raw.toString()
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  return { metadata: text.slice(0, first), others: text.slice(first + 1, second), markdown: text.slice(second + 1) }
}

function jsonOf(metadata: string, others: string, markdown: string): string {
  return `{"metadata":${metadata},"markdown":${JSON.stringify(markdown)}${others === '{}' ? '}' : `,${others.slice(1)}`}`
}
