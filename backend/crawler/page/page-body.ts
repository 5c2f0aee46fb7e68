/**
 * The document of a page, as text and as it is stored.
 *
 * Most readers need only its Markdown or its metadata, and escaping and unescaping a long text for JSON takes longer than hashing or
 * sending it: 30 of 655 µs to read a page, 10 of 490 to index it. So the Markdown is stored unescaped, after two lines of JSON. A short
 * document is only JSON, and so is a very long one: its JSON can be sent as stored, without blocking the API's event loop.
 *
 * A very long document is packed at once. The others are packed together when they are committed (`page-groups.ts`).
 */
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'

/**
 * The values of `page_body.encoding`: JSON, the same packed with zstd, or lines and Markdown, packed or not. From 16: see `page-groups.ts`.
 */
export const JSON_TEXT = 0
const PACKED_JSON = 1
export const PACKED_LINES = 2
export const LINES = 3

/** Packing shorter documents alone gains nothing. */
const LEAST_PACKED_BYTES = 512

/**
 * A buffer for writing, shared because documents are written one after the other: allocating one takes longer than writing, 4.2 and 0.4 of
 * 520 µs.
 */
const room = Buffer.alloc(256 * 1024)

/** A text has at most three bytes of UTF-8 for each of its characters, as `length` counts them. */
const MOST_CHARACTERS = room.length / 3

/** `rawBytes`: the size of the document, unpacked. */
export type PageBody = { encoding: number; rawBytes: number; body: Uint8Array<ArrayBuffer> }

/** Writes a document for storage. Other fields follow `metadata` and `markdown` in their order. */
export type StoredDocument = { metadata: Record<string, unknown>; markdown: string; [field: string]: unknown }

/**
 * Writes a document as bytes; a very long one is packed.
 *
 * @param others  the fields beside metadata and Markdown: the JSON text of an object
 */
export function writeDocument(metadata: Record<string, unknown>, markdown: string, others: string): PageBody {
  const first = JSON.stringify(metadata)
  const characters = first.length + others.length + markdown.length
  if (characters < LEAST_PACKED_BYTES || characters + 2 > MOST_CHARACTERS) {
    const raw = Buffer.from(jsonOf(first, others, markdown))
    return raw.length < LEAST_PACKED_BYTES ? bodyOf(JSON_TEXT, raw.length, raw) : bodyOf(PACKED_JSON, raw.length, pack(raw))
  }
  const length = room.write(`${first}\n${others}\n`)
  const end = length + room.write(markdown, length)
  return bodyOf(LINES, end, room.subarray(0, end))
}

/** Packs bytes, quickly rather than tightly. */
export const pack = (raw: Uint8Array): Buffer =>
  unbroken(() => zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }))

/** The bytes get a buffer of their own, which can be transferred to another thread. */
const bodyOf = (encoding: number, rawBytes: number, body: Uint8Array): PageBody => ({ encoding, rawBytes, body: new Uint8Array(body) })

/** A stored document: its unpacked bytes, and their encoding. */
export type UnpackedBody = { encoding: number; raw: Buffer }

/** Unpacks synchronously. Throws errors of zlib for damaged bytes. */
export function unpackBody({ encoding, body }: Pick<PageBody, 'encoding'> & { body: Uint8Array }): UnpackedBody {
  return isPacked(encoding) ? { encoding, raw: unpack(body) } : { encoding, raw: bufferOf(body) }
}

/** Reverses `pack`. Throws errors of zlib for damaged bytes. */
export const unpack = (body: Uint8Array): Buffer => unbroken(() => zstdDecompressSync(body))

/** The same outside of the event loop, for long documents. */
export async function unpackBodyOutside({ encoding, body }: Pick<PageBody, 'encoding'> & { body: Uint8Array }): Promise<UnpackedBody> {
  return { encoding, raw: isPacked(encoding) ? await unbroken(() => unpackOutside(body)) : bufferOf(body) }
}

const isPacked = (encoding: number) => encoding === PACKED_JSON || encoding === PACKED_LINES
const hasLines = (encoding: number) => encoding === PACKED_LINES || encoding === LINES
const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const unpackOutside = promisify(zstdDecompress)

/** The whole document as JSON text. */
export function documentJson({ encoding, raw }: UnpackedBody): Buffer {
  if (!hasLines(encoding)) return raw
  const { metadata, others, markdown } = linesOf(raw)
  return Buffer.from(jsonOf(metadata, others, markdown))
}

/** The whole document. Throws a SyntaxError for invalid JSON. */
export function readDocument({ encoding, raw }: UnpackedBody): StoredDocument {
  if (!hasLines(encoding)) return JSON.parse(raw.toString()) as StoredDocument
  const { metadata, others, markdown } = linesOf(raw)
  return { metadata: JSON.parse(metadata) as StoredDocument['metadata'], markdown, ...(JSON.parse(others) as object) }
}

/** JSON text contains no line breaks, so the first two line breaks end its lines. */
function linesOf(raw: Buffer): { metadata: string; others: string; markdown: string } {
  const text = raw.toString()
  const first = text.indexOf('\n')
  const second = text.indexOf('\n', first + 1)
  return { metadata: text.slice(0, first), others: text.slice(first + 1, second), markdown: text.slice(second + 1) }
}

function jsonOf(metadata: string, others: string, markdown: string): string {
  return `{"metadata":${metadata},"markdown":${JSON.stringify(markdown)}${others === '{}' ? '}' : `,${others.slice(1)}`}`
}
