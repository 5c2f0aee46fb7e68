import { TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { absoluteAttribute } from './kept-html/absolute-attributes.ts'

const VOID = new Set('area base br col embed frame hr img input link meta param source track wbr'.split(' '))
const MAX_HTML_LENGTH = 10 * 1024 * 1024

/**
 * Writes nodes as HTML: `dropped` nodes are left out, text and attributes are escaped.
 *
 * @param resolver  makes URLs absolute; absent: they stay as the page spells them
 */
export function writeHtml(roots: TreeNode[], resolver?: LinkResolver): string {
  let out = ''
  for (const root of roots) write(root)
  return out

  function write(node: TreeNode) {
    if (out.length > MAX_HTML_LENGTH) return
    if (node instanceof TextNode) {
      out += escapeText(node.data)
      return
    }
    if (node.dropped) return
    if (node.name === 'script') {
      // A formula as TeX, the only script in a tree: between the delimiters that formula renderers look for.
      for (const child of node.children) if (child instanceof TextNode) out += `\\(${escapeText(child.data)}\\)`
      return
    }
    if (node.name === '#root') {
      for (const child of node.children) write(child)
      return
    }
    // An element whose name would be parsed differently is written as a plain element.
    const name = /^[a-z][\w:.-]*$/i.test(node.name) ? node.name : 'span'
    out += '<' + name
    const attributes = node.attributes
    if (attributes !== null) {
      for (let at = 0; at < attributes.length; at += 2) {
        const key = attributes[at]!
        if (!/^[^\s"'<>/=\0]+$/.test(key)) continue
        const value = attributes[at + 1]!
        out += ` ${key}="${escapeAttribute(resolver === undefined ? value : absoluteAttribute(key, value, resolver))}"`
      }
    }
    out += '>'
    if (VOID.has(name)) return
    for (const child of node.children) write(child)
    out += `</${name}>`
  }
}

function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text) ? text.replace(/[&<>\u00a0]/g, (character) => ENTITIES[character]!) : text
}

function escapeAttribute(text: string): string {
  return /[&<>"\u00a0]/.test(text) ? text.replace(/[&<>"\u00a0]/g, (character) => ENTITIES[character]!) : text
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }
