/** The kinds of documents that become Markdown, by the names under which a crawl keeps or skips them. Feeds are `xml`. */
export const DOCUMENT_TYPES = ['html', 'pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'csv', 'json', 'xml', 'text'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** What a browser need not load. */
export const BLOCKABLE = ['images', 'media', 'fonts', 'ads'] as const
export type Blockable = (typeof BLOCKABLE)[number]
