/** The document formats that are zip archives. */
export type ArchiveFormat = 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'epub'

/** The media type in the metadata of a result, whatever the header said. */
export const ARCHIVE_MEDIA_TYPES: Record<ArchiveFormat, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
}

/** Media types by format, with those of templates, slide shows and macro-enabled files. */
const STATED: readonly [types: RegExp, format: ArchiveFormat][] = [
  [/^application\/vnd\.(?:openxmlformats-officedocument\.wordprocessingml\.[\w.-]+|ms-word\.[\w.-]+\.12)$/, 'docx'],
  [/^application\/vnd\.(?:openxmlformats-officedocument\.spreadsheetml\.[\w.-]+|ms-excel\.[\w.-]+\.12)$/, 'xlsx'],
  [/^application\/vnd\.(?:openxmlformats-officedocument\.presentationml\.[\w.-]+|ms-powerpoint\.[\w.-]+\.12)$/, 'pptx'],
  [/^application\/vnd\.oasis\.opendocument\.text(?:-template)?$/, 'odt'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/, 'ods'],
  [/^application\/vnd\.oasis\.opendocument\.presentation(?:-template)?$/, 'odp'],
  [/^application\/epub\+zip$/, 'epub'],
]

/** The format that a media type (in lower case, without parameters) states; null for any other media type. The parts of the archive decide. */
export const statedArchiveFormat = (mediaType: string): ArchiveFormat | null => STATED.find(([types]) => types.test(mediaType))?.[1] ?? null
