/** Syntax highlighting; loaded with the first block of code. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import html from 'highlight.js/lib/languages/xml'
import { colouredNodes } from './coloured-nodes.ts'

for (const [name, language] of Object.entries({ bash, go, html, javascript, json, markdown, python })) hljs.registerLanguage(name, language)

/** Highlights `code`. The code becomes text nodes only, never elements. */
export const highlight = (code: string, language: string): DocumentFragment =>
  colouredNodes(hljs.highlight(code, { language, ignoreIllegals: true }).value, document)
