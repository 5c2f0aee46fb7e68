/** Converts documents other than web pages to HTML that we wrote. */
import type { TreeNode } from '#backend/crawler/html/html-tree.ts'
import { ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { writeHtml } from '../formats/html.ts'
import { parsePage } from '#backend/crawler/page/page.ts'
import { openArchive } from './archive.ts'
import type { Archive } from './archive.ts'
import type { ArchiveFormat } from './archive-formats.ts'
import { MAX_HTML_LENGTH } from './document.ts'
import type { Document } from './document.ts'
import { readDocx } from './office/docx.ts'
import { readEpub } from './epub.ts'
import { readOpenDocument } from './office/open-document.ts'
import { mainPart } from './office/package-parts.ts'
import { readPptx } from './office/pptx.ts'
import { readXlsx } from './office/xlsx.ts'

/**
 * Reads a document in a zip archive.
 *
 * @returns the format and the document, which is null when the parts cannot be read; null when the archive holds no such document
 */
export async function readArchive(bytes: Uint8Array, url: string): Promise<{ format: ArchiveFormat; document: Document | null } | null> {
  const archive = openArchive(bytes)
  const format = archive === null ? null : formatOf(archive)
  if (archive === null || format === null) return null
  try {
    return { format, document: await readAs(format, archive, url) }
  } catch {
    // The libraries throw on damaged parts.
    return { format, document: null }
  }
}

function formatOf(archive: Archive): ArchiveFormat | null {
  const mimetype = archive.has('mimetype') ? archive.text('mimetype')?.trim() : undefined
  if (mimetype !== undefined) {
    const format = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(mimetype)?.[1]
    if (format !== undefined) return format === 'text' ? 'odt' : format === 'spreadsheet' ? 'ods' : 'odp'
  }
  if (archive.has('META-INF/container.xml')) return 'epub'
  const folder = mainPart(archive)?.split('/', 1)[0]
  return folder === 'word' ? 'docx' : folder === 'xl' ? 'xlsx' : folder === 'ppt' ? 'pptx' : null
}

function readAs(format: ArchiveFormat, archive: Archive, url: string): Promise<Document | null> | Document | null {
  switch (format) {
    case 'docx':
      return readDocx(archive)
    case 'xlsx':
      return readXlsx(archive)
    case 'pptx':
      return readPptx(archive)
    case 'epub':
      return readEpub(archive, (xhtml) => insideOf(xhtml, url, true))
    default:
      return readOpenDocument(archive)
  }
}

/**
 * The content of an HTML text's body, with every element closed, so that it cannot affect what follows.
 *
 * @param isBook  removes relative links and pictures, which lead to other parts of the archive
 */
export function insideOf(html: string, url: string, isBook = false): string {
  const { children } = bodyOf(parsePage(html, url).root)
  if (isBook) removeInnerLinks(children)
  return writeHtml(children)
}

/** Like `insideOf`, with the URLs of links and pictures absolute, until they have made the text longer by `MAX_HTML_LENGTH`. */
export function insideWithBase(html: string, base: string): string {
  const { children } = bodyOf(parsePage(html, base).root)
  makeAbsolute(children, base, { characters: MAX_HTML_LENGTH })
  return writeHtml(children)
}

function makeAbsolute(nodes: TreeNode[], base: string, budget: { characters: number }) {
  forEachUrl(nodes, (attributes, at) => {
    if (budget.characters <= 0) return
    const stated = attributes[at + 1]!
    attributes[at + 1] = URL.parse(stated, base)?.href ?? stated
    budget.characters -= attributes[at + 1]!.length - stated.length
  })
}

function bodyOf(root: ElementNode): ElementNode {
  for (const html of [root, ...root.children])
    if (html instanceof ElementNode)
      for (const child of html.children) if (child instanceof ElementNode && child.name === 'body') return child
  return root
}

function removeInnerLinks(nodes: TreeNode[]) {
  forEachUrl(nodes, (attributes, at) => {
    if (!/^(?:https?:|mailto:)/i.test(attributes[at + 1]!.trim())) attributes[at] = 'data-part'
  })
}

/** Calls a function for each `href` and `src`, with the attributes of the element and the index of the name. */
function forEachUrl(nodes: TreeNode[], change: (attributes: string[], at: number) => void) {
  for (const node of nodes) {
    if (node instanceof TextNode) continue
    const { attributes } = node
    if (attributes !== null)
      for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === 'href' || attributes[at] === 'src') change(attributes, at)
    forEachUrl(node.children, change)
  }
}
