/**
 * Rejects texts in the page's sources that belong into its catalogues (`web/texts/`), and texts of a catalogue that the page does not use.
 * Types enforce that all languages have the same texts with the same parameters: `web/texts/agreement.ts`.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@babel/parser'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Attributes and properties with text for people. */
const READ =
  /^(?:alt|aria-(?:description|label|placeholder|roledescription|valuetext)|busyLabel|caption|cancelLabel|confirmLabel|description|empty|heading|hint|label|lead|legend|message|note|placeholder|subtitle|summary|title|tooltip|verb|words)$/

/** These hold texts or identifiers; a capital letter tells them apart. */
const PERHAPS_READ = /^(?:axis|chip|head|name|none|on|off|says|text|unit|value|word)$/
/** Functions whose arguments are no text for people: classes, keys, names of events. */
const SAID_TO_MACHINES = /^(?:cx|useKey|getByText)$/

/** Looks like text, but is a name, or meant for machines. */
const NONE = new Set([
  'You do not have permission to perform this action.', // what the server says, compared
  'openid email profile',
  'read:user user:email',
  'noreferrer noopener nofollow',
  'summary sup table tbody td tfoot th thead tr u ul var',
  // Files with search terms of a list, and with languages by their own names.
  'gb uk great britain england',
  'us usa america',
  'Tiếng Việt',
  // Names of programs and companies.
  'Cursor',
  'Google',
  'Windsurf',
])
/** Elements for things to type. */
const TYPED = /^(?:code|kbd|pre|Kbd|Code)$/

const hasWord = (text: string) => /\p{L}{2,}/u.test(text) && !NONE.has(text.trim())
/** A sentence, or its beginning: a capital letter, another word, and nothing that looks like code. */
const isSentence = (text: string) =>
  !text.includes('://') &&
  hasWord(text) &&
  /^\p{Lu}[\p{L}’'-]*[ ,:…].*\p{L}/u.test(text.trim()) &&
  / /.test(text.trim()) &&
  !/[{}=<>]|;(?! )/.test(text)

/** Three or more words without code or classes in between, as in the second half of a sentence. */
const isRunOfWords = (text: string) =>
  /\p{L}{4}/u.test(text) && /^[\p{L}\s,;:.!?…'’]+$/u.test(text) && /\p{L}+[,;:]? \p{L}+[,;:]? \p{L}+/u.test(text) && hasWord(text)

/** A single word on a screen. */
const isWord = (text: string) => /^\p{Lu}\p{Ll}+(?:[ -]\p{L}+)*$/u.test(text) && !NONE.has(text)
/** Words of a sentence that is composed elsewhere. */
const isPhrase = (text: string) => (/^\p{Ll}+ \p{Ll}+$/u.test(text) || /^\p{Lu}\p{Ll}+s?$/u.test(text)) && !NONE.has(text)

type Node = { type: string; loc?: { start: { line: number } } | null; [part: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export type Found = { line: number; text: string }

/** The texts in a source of the page, with their lines. */
export function textsIn(source: string, isJsx: boolean): Found[] {
  const found: Found[] = []
  const add = (node: Node, text: string) => found.push({ line: node.loc?.start.line ?? 0, text: text.trim().replace(/\s+/g, ' ') })
  visit(parse(source, { sourceType: 'module', plugins: isJsx ? ['typescript', 'jsx'] : ['typescript'] }).program as unknown as Node, false)
  return found.toSorted((one, other) => one.line - other.line)

  /** @param isRead  everything inside is text for people, whatever it looks like */
  function visit(node: Node, isRead: boolean): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ThrowStatement': // read by programmers
      case 'TSTypeAliasDeclaration':
      case 'TSTypeAnnotation':
      case 'TSLiteralType':
        return
      case 'JSXText':
        if (hasWord(String(node['value']))) add(node, String(node['value']))
        return
      case 'JSXElement':
        if (TYPED.test(nameOf(node['openingElement'] as Node))) return visit(node['openingElement'] as Node, false)
        return parts(node, false)
      case 'JSXAttribute':
        return isNode(node['value']) ? named(node['value'], nameOf(node)) : undefined
      case 'JSXExpressionContainer':
      case 'TSAsExpression':
      case 'LogicalExpression':
        return parts(node, isRead)
      case 'ObjectProperty':
        return named(node['value'] as Node, nameOf({ ...node, name: node['key'] }))
      case 'ConditionalExpression':
        visit(node['test'] as Node, false)
        visit(node['consequent'] as Node, isRead)
        return visit(node['alternate'] as Node, isRead)
      case 'BinaryExpression':
        return parts(node, isRead && node['operator'] === '+')
      case 'ArrowFunctionExpression':
        return visit(node['body'] as Node, isRead)
      case 'CallExpression': {
        const callee = nameOf(node['callee'] as Node)
        // The browser's console is not for users.
        if (callee.startsWith('console')) return
        for (const argument of SAID_TO_MACHINES.test(callee) ? [] : (node['arguments'] as Node[]))
          if (argument.type === 'StringLiteral' && (callee === 't' ? hasWord : isPhrase)(String(argument['value'])))
            add(argument, String(argument['value']))
        return isRead || callee === 't' ? composed(node) : parts(node, false)
      }
      case 'NewExpression':
        if (nameOf(node['callee'] as Node).endsWith('Error')) return
        return parts(node, false)
      case 'StringLiteral': {
        const text = String(node['value'])
        if (isRead ? hasWord(text) : isSentence(text) || isRunOfWords(text)) add(node, text)
        return
      }
      case 'TemplateLiteral': {
        const quasis = node['quasis'] as { value: { cooked: string } }[]
        const text = quasis.map(({ value }) => value.cooked).join('…')
        if (
          !text.includes('://') &&
          (isRead
            ? quasis.some(({ value }) => hasWord(value.cooked))
            : isSentence(text) || quasis.some(({ value }) => isRunOfWords(value.cooked)))
        )
          add(node, text)
        return parts(node, false)
      }
      default:
        return parts(node, false)
    }
  }

  /** A call whose result is read: a text of the catalogue with its parameters, or what such a text is composed of. */
  function composed(call: Node): void {
    const callee = call['callee'] as Node
    if (isNode(callee['object'])) visit(callee['object'], true) // `a` in `a.map(…).join(…)`
    for (const argument of call['arguments'] as Node[]) if (argument.type !== 'StringLiteral') visit(argument, true)
  }

  /** The value of an attribute or a property. */
  function named(value: Node, name: string): void {
    if (PERHAPS_READ.test(name) && value.type === 'StringLiteral' && isWord(String(value['value']))) add(value, String(value['value']))
    else visit(value, READ.test(name))
  }

  function parts(node: Node, isRead: boolean): void {
    for (const [name, value] of Object.entries(node)) {
      if (name === 'loc' || name.endsWith('Comments')) continue
      for (const part of Array.isArray(value) ? value : [value]) if (isNode(part)) visit(part, isRead)
    }
  }
}

/** The name of an element, an attribute, a property or a function: "t" for `t.save`. */
function nameOf(node: Node): string {
  if (isNode(node['name'])) return nameOf(node['name'])
  if (isNode(node['object'])) return nameOf(node['object'])
  const name = node['name'] ?? node['value']
  return typeof name === 'string' ? name : ''
}

const namesIn = (catalogue: string) => [...catalogue.matchAll(/^export const (\w+)/gm)].map((match) => match[1] ?? '')

function check(): string[] {
  const files = readdirSync(join(root, 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    .toSorted()
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const faults: string[] = []
  const used = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    // Code samples are English, with their comments.
    if (file.startsWith('web/texts/') || /-samples?\.ts$/.test(file)) continue
    for (const [, names, star, area = ''] of source.matchAll(/^import (?:\{([^}]*)\}|\* as (\w+)) from '#texts\/([\w-]+)\.ts'/gm)) {
      const own = used.get(area) ?? new Set<string>()
      used.set(area, own)
      for (const name of names?.split(',') ?? []) own.add(name.trim().split(' ')[0] ?? '')
      if (star) for (const [, name = ''] of source.matchAll(new RegExp(`\\b${star}\\.(\\w+)`, 'g'))) own.add(name)
    }
    for (const { line, text } of textsIn(source, file.endsWith('x'))) faults.push(`${file}:${line} is in no catalogue: ${text}`)
  }
  for (const [file, source] of sources) {
    const area = /^web\/texts\/en\/([\w-]+)\.ts$/.exec(file)?.[1]
    // The build fills index.html with texts of the page.
    if (area === undefined || ['index', 'language', 'page'].includes(area)) continue
    for (const name of namesIn(source)) if (!used.get(area)?.has(name)) faults.push(`${file} has ${name}, which nothing shows`)
  }
  return faults
}

if (import.meta.main) {
  const faults = check()
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length ? 1 : 0
}
