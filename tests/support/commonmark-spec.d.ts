/** The examples of the CommonMark specification; the package has no types. */
declare module 'commonmark-spec' {
  /** The character → means a tab. */
  export const tests: { markdown: string; html: string; section: string; number: number }[]
}
