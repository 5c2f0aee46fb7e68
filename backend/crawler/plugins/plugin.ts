/** The interface of a plugin: one file that exports one of these, listed in `installed.ts`. */
import type { ValueFault } from '#contract/plugin-values.ts'
import type { ValueSchema } from '#contract/plugins.ts'
import type { WholeElement } from './whole-tree.ts'

export type Plugin = {
  /** Its name in `plugin_options`; must never change, because stored crawls contain it. */
  key: string
  title: string
  description: string
  /** Its options besides `is_active`, in the order of the form; `default` applies to options that are not sent. */
  options: Record<string, ValueSchema>
  /** Options without which it cannot run. */
  required?: readonly string[]
  /** Checks values that fit the schema for further errors. */
  judge?(values: Readonly<Record<string, unknown>>): ValueFault[]
  /**
   * Extracts data from one page, in a parser thread.
   *
   * The returned JSON value, at most 2 MiB, becomes the `extraction` of the page's result; `undefined` for nothing. An exception, a
   * rejected promise, or exceeding the time or memory limit costs the page its extraction and nothing else.
   *
   * Absent when the engine does the work between parser and commit, because it needs the network (`crawl-extraction.ts`).
   *
   * @param options  validated, with defaults, without anything that the schema does not name
   */
  extract?(page: PluginPage, options: Readonly<Record<string, unknown>>): unknown
}

/** A page as a plugin sees it. Functions compute their result on the first call. */
export type PluginPage = {
  /** The final URL. */
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
  /** Makes a URL of the page absolute; null unless it is http or https. */
  resolve(href: string): string | null
}

/** A plugin that a crawl uses, with its options. Plain values: they are sent to the threads. */
export type ActivePlugin = { key: string; values: Record<string, unknown> }
