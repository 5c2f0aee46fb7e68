/** Sentences that contain elements, such as a link or a bold URL. */
import { Fragment, createElement } from 'react'
import type { ReactNode } from 'react'

/** A part of a sentence: an element or a text. */
export type Part = ReactNode

/** A template tag for such sentences, which lets each language choose the order of the parts: rich`Open ${link} to go on.` */
export const rich = (words: TemplateStringsArray, ...parts: Part[]): ReactNode =>
  createElement(Fragment, null, ...words.flatMap((word, index) => [word, parts[index]]))
