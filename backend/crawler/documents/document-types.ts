/** The document types that a crawl can keep or skip. Pure. */
import type { DocumentType } from '#contract/document-types.ts'
import { readContentType, statedKind } from './kind.ts'
import type { DocumentKind } from './kind.ts'
import { statedArchiveFormat } from './archive-formats.ts'

/** The kinds of bodies that have a type of their own. Everything else that is readable is a text. */
const BY_KIND: Partial<Record<DocumentKind, DocumentType>> = {
  csv: 'csv',
  html: 'html',
  json: 'json',
  pdf: 'pdf',
  xhtml: 'html',
  xml: 'xml',
}

/** The document type of a media type (without parameters). */
export function documentType(mediaType: string): DocumentType {
  return statedArchiveFormat(mediaType) ?? BY_KIND[statedKind(mediaType) ?? 'text'] ?? 'text'
}

/** The document type of a Content-Type; null when the header is missing or unreliable. */
export function statedType(contentType: string | null): DocumentType | null {
  const { mediaType } = readContentType(contentType)
  const isVague = statedKind(mediaType) === null || /^application\/(?:zip|x-zip-compressed)$/.test(mediaType)
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
