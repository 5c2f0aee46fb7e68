import type { MarkedPart } from '#contract/own-pages.ts'

/** A text with its matches highlighted. */
export const MarkedText = ({ parts }: { parts: readonly MarkedPart[] }) =>
  parts.map(({ text, is_match }, index) => (is_match ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>))
