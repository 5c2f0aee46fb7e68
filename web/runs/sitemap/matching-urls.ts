/** Finds the URLs that contain every word of a text, in any order and case. Pure. */
export function matchingUrls(urls: readonly string[], text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return urls
  return urls.filter((url) => {
    const folded = url.toLowerCase()
    return words.every((word) => folded.includes(word))
  })
}
