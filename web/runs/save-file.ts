/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob | string, type = 'application/json'): void {
  const link = document.createElement('a')
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }))
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has taken the address over by the next turn; until then it must stay good.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** A file name from anything: letters, digits, dots and dashes, at most 80. */
export const fileNameOf = (text: string): string =>
  text
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[^\p{L}\p{N}.-]+/gu, '_')
    .replace(/^[_.]+|[_.]+$/g, '')
    .slice(0, 80) || 'file'
