/** Names of the kinds of documents, as a crawl keeps or skips them. Pure. */
import { DOCUMENT_TYPES } from '#contract/document-types.ts'
import type { DocumentType } from '#contract/document-types.ts'
import { readContentType } from './kind.ts'
import { ARCHIVE_MEDIA_TYPES } from './archive-formats.ts'

const BY_MEDIA_TYPE = new Map<string, DocumentType>([
  ...DOCUMENT_TYPES.flatMap((type) =>
    type in ARCHIVE_MEDIA_TYPES ? ([[ARCHIVE_MEDIA_TYPES[type as keyof typeof ARCHIVE_MEDIA_TYPES], type]] as const) : [],
  ),
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

/** The kind that a media type names, without parameters. Everything that is read and has no name of its own is a text. */
export function documentType(mediaType: string): DocumentType {
  const known = BY_MEDIA_TYPE.get(mediaType)
  if (known !== undefined) return known
  if (mediaType.endsWith('+json')) return 'json'
  return mediaType.endsWith('+xml') ? 'xml' : 'text'
}

/** The kind that a Content-Type states; null where it states none that is sure. */
export function statedType(contentType: string | null): DocumentType | null {
  const { mediaType } = readContentType(contentType)
  const isVague =
    mediaType === '' || /^(?:application\/(?:octet-stream|zip|x-zip-compressed|unknown)|unknown\/unknown|\*\/\*)$/.test(mediaType)
  return isVague ? null : documentType(mediaType)
}

/** Extensions of addresses behind which a kind stands; a crawl that names the kind follows them. */
export const extensionsOf = (type: DocumentType): string[] => (type === 'csv' ? ['csv', 'tsv'] : [type])

export type WantedTypes = { keep?: readonly DocumentType[] | undefined; skip?: readonly DocumentType[] | undefined }

/** Whether documents of a kind are kept: named ones alone where any are named, and none that is skipped. */
export const isWanted = ({ keep = [], skip = [] }: WantedTypes, type: DocumentType): boolean =>
  (keep.length === 0 || keep.includes(type)) && !skip.includes(type)
