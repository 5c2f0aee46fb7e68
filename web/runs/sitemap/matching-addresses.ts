/** Finds the URLs that contain every word of a text, in any order and case. Pure. */
export function matchingAddresses(addresses: readonly string[], text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return addresses
  return addresses.filter((address) => {
    const folded = address.toLowerCase()
    return words.every((word) => folded.includes(word))
  })
}
