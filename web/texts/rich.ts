/** Sentences with elements in them, such as a link or a bold address. */
import { Fragment, createElement } from 'react'
import type { ReactNode } from 'react'

/** What stands in a sentence: an element, or a word. */
export type Part = ReactNode

/** A template whose parts may be elements, in the order that the language needs: rich`Open ${link} to go on.` */
export const rich = (words: TemplateStringsArray, ...parts: Part[]): ReactNode =>
  createElement(Fragment, null, ...words.flatMap((word, index) => [word, parts[index]]))
