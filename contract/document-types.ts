/** The kinds of documents that the crawler converts to Markdown, by their names in `keep_types` and `skip_types`. Feeds are `xml`. */
export const DOCUMENT_TYPES = ['html', 'pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'csv', 'json', 'xml', 'text'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** Resources that a crawl can block in the browser. */
export const BLOCKABLE = ['images', 'media', 'fonts', 'ads'] as const
export type Blockable = (typeof BLOCKABLE)[number]
