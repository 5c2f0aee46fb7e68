/** Renders an OpenAPI document as one static HTML page: no script, no external resources. */
import { createHash } from 'node:crypto'
import type { ApiDocument, ApiOperation, ApiResponse, JsonSchema } from '#contract/reference.ts'

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dbe0,#3a3f47);--soft:light-dark(#f4f5f7,#1f2329);--quiet:light-dark(#565d68,#a4acb8);--link:light-dark(#0b57b0,#8ab8ff)}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;background:light-dark(#fff,#15181c);color:light-dark(#1b1f24,#e6e9ed);overflow-wrap:break-word}
main,nav{max-width:68rem;margin:0 auto;padding:1rem 1.25rem}
h1{font-size:1.9rem;margin:1rem 0 .25rem}h2{margin:2.5rem 0 .5rem;border-bottom:1px solid var(--line)}h3{margin:2rem 0 .25rem;font-size:1.1rem}h4{margin:1rem 0 .25rem;font-size:.95rem}
a{color:var(--link)}p{margin:.4rem 0}nav ul{columns:16rem;padding-left:1.1rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px}code{padding:.1em .3em}pre{padding:.75rem;overflow-x:auto;overflow-wrap:normal}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);min-width:6rem}
.method{font-weight:700}.quiet{color:var(--quiet);font-size:.9rem}
@media(max-width:40rem){thead{display:none}tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}td{display:block;padding:.1rem 0;border:0}nav ul{columns:1}}
`

/** The Content-Security-Policy of the page: allows only its own style element. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The whole page as HTML. Every text of the document is escaped. */
export const referencePage = (document: ApiDocument): string => [...referencePieces(document)].join('')

/** The same in pieces of one operation or schema: the whole page takes 20 ms in code that has not run before. */
export function* referencePieces(document: ApiDocument): Generator<string, void> {
  const { info, tags, servers, components } = document
  const operations = operationsOf(document)
  const title = escaped(info.title)
  yield `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body>
<main>
<h1>${title} <span class="quiet">${escaped(info.version)}</span></h1>
<p class="quiet">At <code>${escaped(servers[0]?.url ?? '')}</code></p>
${markdown(info.description)}
<nav aria-label="Endpoints"><h2>Endpoints</h2><ul>${tags.map(({ name }) => `<li><a href="#${anchor(name)}">${escaped(name)}</a></li>`).join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
`
  for (const { name, description = '' } of tags) {
    yield `<section><h2 id="${anchor(name)}">${escaped(name)}</h2>${description && `<p>${inline(description)}</p>`}`
    for (const each of operations) if (each.operation.tags.includes(name)) yield `${operationText(document, each)}\n`
    yield '</section>\n'
  }
  yield '<section><h2 id="schemas">Schemas</h2>'
  for (const [name, schema] of Object.entries(components.schemas))
    yield `<h3 id="schema-${anchor(name)}">${escaped(name)}</h3>${schemaText(schema)}\n`
  yield `</section>
</main>
</body>
</html>
`
}

type Placed = { method: string; path: string; operation: ApiOperation }

const operationsOf = ({ paths }: ApiDocument): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

function operationText(document: ApiDocument, { method, path, operation }: Placed): string {
  const { description, operationId, parameters = [], requestBody, responses, security, summary } = operation
  const body = requestBody?.content['application/json']
  const caller = security.length === 0 ? 'No credential' : security.flatMap((one) => Object.keys(one)).join(' or ')
  return [
    `<h3 id="${anchor(operationId)}">${escaped(summary)}</h3>`,
    `<p><code><span class="method">${method}</span> ${escaped(path)}</code> <span class="quiet">${escaped(caller)}</span></p>`,
    description === undefined ? '' : `<p>${inline(description)}</p>`,
    parameters.length === 0
      ? ''
      : `<h4>Parameters</h4>${table(
          ['Name', 'In', 'Type', 'Meaning'],
          parameters.map((one) => [nameText(one.name, one.required), one.in, typeText(one.schema), inline(one.description ?? '')]),
        )}`,
    body?.schema === undefined
      ? ''
      : `<h4>Body</h4><p class="quiet">${inline(requestBody?.description ?? '')}</p>${schemaText(body.schema)}`,
    body?.example === undefined ? '' : `<pre tabindex="0">${escaped(JSON.stringify(body.example, null, 2))}</pre>`,
    `<h4>Answers</h4>${table(
      ['Status', 'Body', 'Meaning'],
      Object.entries(responses).map(([status, response]) => answerRow(document, status, response)),
    )}`,
  ].join('\n')
}

function answerRow(document: ApiDocument, status: string, response: ApiOperation['responses'][string]): string[] {
  const whole: ApiResponse | undefined =
    '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response
  const bodies = Object.entries(whole?.content ?? {}).map(
    ([type, media]) =>
      `<code>${escaped(type)}</code> ${media['x-event'] ? typeText(media['x-event']) : media.schema ? typeText(media.schema) : ''}`,
  )
  return [escaped(status), bodies.join('<br>'), inline(whole?.description ?? '')]
}

/** The fields of a schema, nested ones with dotted names. */
function schemaText(schema: JsonSchema): string {
  const rows = fieldRows(schema, '')
  return rows.length === 0 ? `<p>${typeText(schema)}</p>` : table(['Field', 'Type', 'Meaning'], rows)
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, before: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [nameText(before + name, required.includes(name)), typeText(field), inline(field.description ?? '')],
    ...fieldRows(field, `${before}${name}.`),
    ...(field.items ? fieldRows(field.items, `${before}${name}[].`) : []),
  ])
}

const nameText = (name: string, isRequired: boolean | undefined) =>
  `<code>${escaped(name).replaceAll('.', '.<wbr>')}</code>${isRequired ? ' <span class="quiet">required</span>' : ''}`

function typeText(schema: JsonSchema): string {
  const bounds = (['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'] as const)
    .filter((bound) => schema[bound] !== undefined)
    .map((bound) => `${bound} ${schema[bound]}`)
  const usual = schema.default === undefined ? [] : [`default <code>${escaped(JSON.stringify(schema.default))}</code>`]
  return [shapeText(schema), ...bounds, ...usual].join(', ')
}

function shapeText({ $ref, anyOf, oneOf, const: only, enum: words, format, items, type }: JsonSchema): string {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${anchor(name)}">${escaped(name)}</a>`
  }
  if (only !== undefined) return `<code>${escaped(JSON.stringify(only))}</code>`
  if (words) return words.map((word) => `<code>${escaped(JSON.stringify(word))}</code>`).join(' or ')
  const choices = anyOf ?? oneOf
  if (choices) return choices.map(shapeText).join(' or ')
  const names = [type ?? 'any'].flat().map((name) => (name === 'array' && items ? `list of ${shapeText(items)}` : escaped(name)))
  return names.join(' or ') + (format ? ` (${escaped(format)})` : '')
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`

/** Renders paragraphs, sections and lists: the introduction uses nothing else. */
function markdown(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((block) => {
      if (block.startsWith('## ')) return `<h2>${inline(block.slice(3))}</h2>`
      if (block.startsWith('- '))
        return `<ul>${block
          .split('\n')
          .map((line) => `<li>${inline(line.replace(/^- /, ''))}</li>`)
          .join('')}</ul>`
      return `<p>${inline(block)}</p>`
    })
    .join('\n')
}

const inline = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

const anchor = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
