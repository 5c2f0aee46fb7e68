/** The document types that a crawl can keep or skip. Pure. */
import type { DocumentType } from '#contract/document-types.ts'
import { readContentType } from './kind.ts'
import { statedArchiveFormat } from './archive-formats.ts'

const BY_MEDIA_TYPE = new Map<string, DocumentType>([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['application/jsonl', 'json'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
])

/** The document type of a media type (without parameters). Everything readable without a type of its own is a text. */
export function documentType(mediaType: string): DocumentType {
  const known = BY_MEDIA_TYPE.get(mediaType) ?? statedArchiveFormat(mediaType)
  if (known !== null) return known
  if (mediaType.endsWith('+json')) return 'json'
  return mediaType.endsWith('+xml') ? 'xml' : 'text'
}

/** The document type of a Content-Type; null when the header is missing or unreliable. */
export function statedType(contentType: string | null): DocumentType | null {
  const { mediaType } = readContentType(contentType)
  const isVague =
    mediaType === '' || /^(?:application\/(?:octet-stream|zip|x-zip-compressed|unknown)|unknown\/unknown|\*\/\*)$/.test(mediaType)
  return isVague ? null : documentType(mediaType)
}

const EXTENSIONS: Partial<Record<DocumentType, string[]>> = {
  csv: ['csv', 'tsv'],
  docx: ['docx', 'docm'],
  pptx: ['pptx', 'pptm', 'ppsx'],
  text: ['txt', 'rtf'],
  xlsx: ['xlsx', 'xlsm'],
}

/** File extensions of a document type; a crawl that names the type follows links to them. */
export const extensionsOf = (type: DocumentType): string[] => EXTENSIONS[type] ?? [type]

export type WantedTypes = { keep?: readonly DocumentType[] | undefined; skip?: readonly DocumentType[] | undefined }

/** Whether a crawl keeps a document type: `keep`, if not empty, must list it, and `skip` must not. */
export const isWanted = ({ keep = [], skip = [] }: WantedTypes, type: DocumentType): boolean =>
  (keep.length === 0 || keep.includes(type)) && !skip.includes(type)
