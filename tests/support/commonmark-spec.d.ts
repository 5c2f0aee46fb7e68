/** The examples of the CommonMark specification. The package brings no types. */
declare module 'commonmark-spec' {
  /** Tabs stand as arrows. */
  export const tests: { markdown: string; html: string; section: string; number: number }[]
}
