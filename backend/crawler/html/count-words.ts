/** Counts the words of a text. */

/** The average number of letters per word in a script without spaces. */
const UNSPACED_LETTERS = 5

/** Han and kana; letters of Thai, Lao, Khmer and Burmese; anything else between spaces that contains a letter or a digit. */
const WORD =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\u30fc*)|([\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}\p{Pc}\p{Join_Control}'’.,:@/&+-])+/gu

/**
 * Counts words as word processors do: the parts between spaces. Each character of Han and kana counts as a word, and every five letters of
 * Thai, Lao, Khmer and Burmese, which have no spaces either.
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
