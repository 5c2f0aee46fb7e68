/** The examples of the CommonMark specification; the package has no types. */
declare module 'commonmark-spec' {
  /** Arrows stand for tabs. */
  export const tests: { markdown: string; html: string; section: string; number: number }[]
}
