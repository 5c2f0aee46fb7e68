/**
 * Percent-encodes the bytes beyond ASCII of a text that is not UTF-8, so that they go back to the server as they came.
 *
 * @param text  its bytes as characters (ISO-8859-1)
 */
export function encodeBytes(text: string): string {
  return text.replace(/[\x80-\xff]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
