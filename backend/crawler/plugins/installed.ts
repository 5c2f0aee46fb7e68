/** The installed plugins, in the order of the form. To add one, add its file and a line here. */
import { openaiExtract } from './openai-extract.ts'
import type { Plugin } from './plugin.ts'
import { structuredData } from './structured-data.ts'

export const PLUGINS: readonly Plugin[] = [structuredData, openaiExtract]
