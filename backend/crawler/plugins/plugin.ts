/** What a plugin is: one file that exports one of these, named in `installed.ts`. */
import type { ValueFault } from '#contract/plugin-values.ts'
import type { ValueSchema } from '#contract/plugins.ts'
import type { WholeElement } from './whole-tree.ts'

export type Plugin = {
  /** Its name in `plugin_options`; never changed, since stored crawls bear it. */
  key: string
  title: string
  description: string
  /** Its options besides `is_active`, in the order of the form; a `default` fills in what is not sent. */
  options: Record<string, ValueSchema>
  /** Options without which it cannot run. */
  required?: readonly string[]
  /** What is wrong with values that fit the schema of the options. */
  judge?(values: Readonly<Record<string, unknown>>): ValueFault[]
  /**
   * Looks at one page, in a parser thread, beside the formats.
   *
   * What it gives stands under `extraction` of the page's result: anything JSON can say, 2 MiB at most; `undefined` for nothing.
   * What it throws, a promise that it rejects, and the time or memory that it exceeds cost the page its extraction and nothing else.
   *
   * Absent: the engine does the work between the parser and the commit, since it asks the network (`crawl-extraction.ts`).
   *
   * @param options  as sent and checked, defaults filled in, nothing that the schema does not name
   */
  extract?(page: PluginPage, options: Readonly<Record<string, unknown>>): unknown
}

/** A page as a plugin sees it. What is a function is made when it is asked for, and once. */
export type PluginPage = {
  /** The final address. */
  url: string
  status: number
  mediaType: string
  title: string | null
  language: string | null
  metadata: Readonly<Record<string, string | null>>
  markdown: string
  /** The document as text; null when the page is no HTML. */
  html(): string | null
  /** The whole document, scripts and metadata too; null when the page is no HTML. */
  tree(): WholeElement | null
  /** An address of the page made absolute; null unless it is http or https. */
  resolve(href: string): string | null
}

/** A plugin that a crawl asks for, with what was sent for it. Plain values: they travel to the threads. */
export type ActivePlugin = { key: string; values: Record<string, unknown> }
