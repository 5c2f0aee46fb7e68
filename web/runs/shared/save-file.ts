/** Saves a file through the browser. */
import { decoded } from '#web/ui/text/decoded.ts'

/** Saves a text or a blob. */
export function saveFile(name: string, content: Blob | string, type = 'application/json'): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }))
  follow(url, name)
  // The browser reads the URL after this function has returned, so revoke it later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Spreadsheet programs take CSV without a byte order mark for the encoding of their country. */
export const saveCsv = (name: string, content: Blob | string): void => saveFile(name, new Blob(['\uFEFF', content], { type: 'text/csv' }))

/** Lets the browser download the file behind a signed link, so that it does not pass through the page's memory. */
export const saveLink = (link: string): void => follow(link, '')

function follow(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}

/** A file name from a URL or any text: letters, digits, dots and dashes, at most 80. */
export const fileNameOf = (text: string): string =>
  text
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/(?:%[0-9a-f]{2})+/gi, decoded)
    .replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '_')
    .replace(/^[_.]+|[_.]+$/g, '')
    .slice(0, 80)
    // Half a character at the end.
    .replace(/[\ud800-\udbff]$/, '') || 'file'
