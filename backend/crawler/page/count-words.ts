/** How many words a reader meets in a text. */

/** Letters of a word of a script that writes no spaces, on average. */
const UNSPACED_LETTERS = 5

/** Han and kana; letters of Thai, Lao, Khmer and Burmese; all else between spaces that holds a letter or a digit. */
const WORD =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\u30fc*)|([\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}\p{Pc}\p{Join_Control}'’.,:@/&+-])+/gu

/**
 * Counts words as word processors do: what stands between spaces. Of Han and kana each character is a word; of Thai, Lao, Khmer and Burmese, which write
 * no spaces either, five letters are.
 */
export function countWords(text: string): number {
  let words = 0
  let unspaced = 0
  for (const [whole, ideograph, run] of text.matchAll(WORD)) {
    if (ideograph !== undefined) words++
    else if (run !== undefined) unspaced += run.length
    else if (/[\p{L}\p{N}]/u.test(whole)) words++
  }
  return words + Math.ceil(unspaced / UNSPACED_LETTERS)
}
