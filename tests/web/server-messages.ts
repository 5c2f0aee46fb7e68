/** The German dashboard says in German what the server says in English. */
import { readFileSync, readdirSync } from 'node:fs'
import { parse } from '@babel/parser'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ERRORS } from '#backend/errors.ts'
import { openaiExtract } from '#backend/crawler/plugins/openai-extract.ts'
import { structuredData } from '#backend/crawler/plugins/structured-data.ts'
import { translatedForms } from '#web/runs/crawl/plugin-form.ts'
import { processorMs } from '#tests/support/linear.ts'
import { loadOnce, translatedBody } from '#web/api/server-messages.ts'
import { translated } from '#web/texts/de/server-messages.ts'

const messages = suite('messages of the server, in German')

type Node = { type: string; [part: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Folders whose messages the dashboard shows. */
const FOLDERS = [
  'contract',
  ...[
    'accounts',
    'crawls',
    'http',
    'models',
    'plans',
    'proxies',
    'runs',
    'schedules',
    'searches',
    'sitemaps',
    'store',
    'teams',
    'webhooks',
  ].map((folder) => `backend/${folder}`),
  ...['crawl', 'engine', 'sitemap', 'tasks'].map((folder) => `backend/crawler/${folder}`),
]
const FOR_OPERATORS = /^contract\/(?:firecrawl|mcp|reference)|administer-/
/** Sentences between machines, or parts of one, of which the next tests have the whole. */
const FOR_MACHINES = /^Signature|^A test event|^Answer with|^This must 7\.$|^7: the crawl waited|^Only for the owner|^At most 1 7 may/
/** Texts for operators, logs and readers of the API reference. */
const IS_ASIDE: Record<string, (node: Node) => boolean> = {
  ImportDeclaration: () => true,
  NewExpression: ({ callee }) => /(?:^|[a-z])(?:Error|Refusal)$|^Refusal$/.test(nameOf(callee)) && nameOf(callee) !== 'AppError',
  CallExpression: ({ callee }) => isNode(callee) && /^(?:log|console)$/i.test(nameOf(callee['object'])),
  ObjectProperty: ({ key }) => /^(?:description|summary|help|title)$/.test(nameOf(key)),
}
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return typeof node['name'] === 'string' ? node['name'] : nameOf(node['property'])
}

/** The sentences of a source, with 7 for each inserted value. */
function sentencesIn(source: string): string[] {
  const found: string[] = []
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Node, false)
  return found

  function visit(node: Node, isMessage: boolean): void {
    if (node.type.startsWith('TS') && !isNode(node['expression'])) return
    if (IS_ASIDE[node.type]?.(node)) return
    const text = textOf(node)
    if (text !== null && (isMessage ? /[a-z] /.test(text) : /^[A-Z][^{}<>]* .*\.$/s.test(text))) found.push(text)
    const isFeed = node.type === 'CallExpression' && /^(?:feed|leaveOut|tell)$/.test(nameOf(node['callee']))
    const isNamed = node.type === 'ObjectProperty' && nameOf(node['key']) === 'message'
    const passes = isMessage && /^(?:Conditional|ArrowFunction)Expression$/.test(node.type)
    for (const [name, value] of Object.entries(node))
      for (const part of Array.isArray(value) ? value : [value])
        if (isNode(part)) visit(part, isFeed ? name === 'arguments' : isNamed || passes)
  }
}

function textOf(node: Node): string | null {
  if (node.type === 'StringLiteral') return String(node['value'])
  if (node.type !== 'TemplateLiteral') return null
  const values = node['expressions'] as Node[]
  return (node['quasis'] as { value: { cooked: string } }[])
    .map(({ value }, at) => value.cooked + (values[at] === undefined ? '' : sampleOf(values[at])))
    .join('')
}

/** Calls that name the reason why a URL has no page, and tables and functions of such reasons. */
const REASON_CALLS = /^(?:EgressError|fail|failUrl|failure|refusal|settle|stop|wordsFor)$/
const REASON_TABLES = /^(?:LOOP|REPLIES|WHY_CLOSED|WORDS|excessOf|noAddress|overLimit)$/
/** Of interest to those who operate a server, who read English; and what no reply says. */
const TECHNICAL = /^(?:bad_encoding|canceled|protocol)$/
const NO_REASONS = new Set(['it works'])

/** The reasons in a source, with 7 for each inserted value. */
function reasonsIn(source: string): string[] {
  const found: string[] = []
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Node, false)
  return found

  function visit(node: Node, isReason: boolean): void {
    if (node.type.startsWith('TS') && !isNode(node['expression'])) return
    if (node.type === 'ImportDeclaration') return
    const text = textOf(node)
    if (text !== null) {
      if (isReason && /[a-z] /.test(text) && !NO_REASONS.has(text)) found.push(text)
      return
    }
    const parts = partsOf(node)
    const isTechnical = parts.some((part) => TECHNICAL.test(textOf(valueOf(part)) ?? ''))
    const isCall = REASON_CALLS.test(nameOf(node['callee']))
    const isTable = REASON_TABLES.test(nameOf(node['id']))
    for (const part of parts) {
      const isDetail = node.type === 'ObjectExpression' && nameOf(part['key']) === 'detail'
      visit(part, !isTechnical && (isReason || isTable || isDetail || (isCall && part !== node['callee'])))
    }
  }
}

const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const valueOf = (part: Node): Node => (isNode(part['value']) ? part['value'] : part)

const sampleOf = (node: Node): string =>
  node.type === 'ConditionalExpression' ? (textOf(node['alternate'] as Node) ?? '7') : nameOf(node) === 'noun' ? 'field' : '7'

messages('every message of the sources has a translation', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && !FOR_OPERATORS.test(file))
      .flatMap((file) => sentencesIn(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`)),
  )
  assert.ok(found.length > 250, `${found.length} messages were found`)
  const isEnglish = (line: string) => {
    const text = line.slice(line.indexOf(': ') + 2)
    return !FOR_MACHINES.test(text) && translated(text) === text
  }
  assert.equal(found.filter(isEnglish), [])
  assert.equal(
    Object.values(ERRORS).filter(({ message }) => !FOR_MACHINES.test(message) && translated(message) === message),
    [],
  )
})

messages('a message keeps its values, and what stands around it', () => {
  const rows: [english: string, german: string][] = [
    ['Ensure this field has no more than 255 characters.', 'Höchstens 255 Zeichen sind erlaubt.'],
    ['The crawl ended with 1 page', 'Der Crawl ist beendet, mit 1 Seite'],
    [
      'Could not fetch https://a.example/x: it took too long (after 30 s)',
      'https://a.example/x konnte nicht abgerufen werden: Es dauerte zu lange (after 30 s)',
    ],
    [
      'At most 2 searches may run at once on this plan. Try again when one has ended.',
      'Mit diesem Tarif laufen höchstens 2 Suchen gleichzeitig. Versuche es noch einmal, wenn einer der Aufträge beendet ist.',
    ],
    [
      'urls.0: This address is not allowed. urls.1: Enter a valid URL.',
      'urls.0: Diese Adresse ist nicht erlaubt. urls.1: Gib eine gültige URL ein.',
    ],
    ['This must have at most 3 items.', 'Höchstens 3 Einträge sind erlaubt.'],
    ['This must have at least 1 item.', 'Mindestens ein Eintrag ist nötig.'],
    [
      'The disk of the server was full: the crawl waited 9 s and goes on',
      'Die Festplatte des Servers war voll: Der Crawl wartete 9 s und läuft weiter',
    ],
    [
      'No browser is available: pages are fetched over plain HTTP, without screenshots, PDFs and waiting after load',
      'Es ist kein Browser da: Seiten werden ohne ihn abgerufen, ohne Screenshots, PDFs und Warten nach dem Laden',
    ],
    ['HTTP 302: redirects are not followed', 'HTTP 302: Umleitungen wird nicht gefolgt'],
    ['no connection', 'Keine Verbindung'],
    ['This slug is reserved.', 'Dieses Kürzel ist reserviert.'],
    ['"large" is not a valid choice.', '„large“ steht nicht zur Wahl.'],
    ["Today's credits are used up.", 'Die Credits für heute sind verbraucht.'],
    [
      'The site cannot be reached: it took too long (no answer within 10 s)',
      'Die Website ist nicht zu erreichen: Es dauerte zu lange (no answer within 10 s)',
    ],
    ['https://a.example/: the PDF has its first 50 pages', 'https://a.example/: Das PDF hat die ersten 50 Seiten'],
    ['Read https://a.example/: 1 link', 'https://a.example/ gelesen: 1 Link'],
    [
      'Sitemap indexes are nested more than 3 deep: the files below are left out',
      'Sitemap-Indizes sind mehr als 3 Ebenen tief geschachtelt: Die Dateien darunter entfallen',
    ],
    ['Said by a website', 'Said by a website'],
    ['constructor', 'constructor'],
    ['Read: '.repeat(300), 'Read: '.repeat(300)],
    ['x'.repeat(100_000), 'x'.repeat(100_000)],
  ]
  for (const [english, german] of rows) assert.is(translated(english), german)
})

messages('every reason why a URL has no page has a translation', () => {
  const found = ['fetch', 'frontier', 'crawl', 'robots', 'page'].flatMap((folder) =>
    readdirSync(`backend/crawler/${folder}`)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => reasonsIn(readFileSync(`backend/crawler/${folder}/${file}`, 'utf8')).map((reason) => ({ file, reason }))),
  )
  assert.ok(found.length > 60, `${found.length} reasons were found`)
  assert.equal(
    found.filter(({ reason }) => translated(reason) === reason),
    [],
  )
})

messages('a reason keeps its values, and words that are not one stay', () => {
  const rows: [english: string, german: string][] = [
    ['refused', 'Abgelehnt'],
    ['proxy: its name does not resolve', 'Proxy: Sein Name ist nicht aufzulösen'],
    ['proxy: it answered HTTP 502', 'Proxy: Er antwortete mit HTTP 502'],
    ['proxy: no answer in time', 'Proxy: Keine Antwort in der Frist'],
    ['robots.txt: the connection was closed', 'robots.txt: Die Verbindung wurde geschlossen'],
    ['robots.txt: timeout: the body stopped', 'robots.txt: Zeit überschritten: Die Antwort kam ins Stocken'],
    ['line 7: Disallow: /reset', 'Zeile 7: Disallow: /reset'],
    ['HTTP 429 to 20 requests in a row', 'HTTP 429 auf 20 Anfragen nacheinander'],
    ['redirected to https://a.example/pdf (file_type: pdf)', 'Umgeleitet nach https://a.example/pdf (file_type: pdf)'],
    ['not rendered: no answer in time', 'Nicht gerendert: Keine Antwort in der Frist'],
    ['The PDF of https://a.example/ could not be stored', 'Das PDF von https://a.example/ konnte nicht gespeichert werden'],
    // A type of documents that a crawl leaves out.
    ['pdf', 'pdf'],
    ['HTTP 404', 'HTTP 404'],
    ['https://a.example/pages', 'https://a.example/pages'],
  ]
  for (const [english, german] of rows) assert.is(translated(english), german)
})

messages('names and words of users stay, even those that are parts of messages', () => {
  const rows: [english: string, german: string][] = [
    ['Asking SearXNG for "sitemap"', 'Frage SearXNG nach „sitemap“'],
    [
      'The team search pays for a plan: delete its subscription first.',
      'Das Team search zahlt für einen Tarif: Lösche zuerst sein Abonnement.',
    ],
    ['Requests go through the proxy server “dns”', 'Anfragen gehen durch den Proxy-Server „dns“'],
    ['"crawl" is not a valid choice.', '„crawl“ steht nicht zur Wahl.'],
    ['There are no such fields: timeout.', 'Diese Felder gibt es nicht: timeout.'],
    ['No search provider finds news', 'Kein Suchanbieter findet Nachrichten'],
  ]
  for (const [english, german] of rows) assert.is(translated(english), german)
})

messages('a text that could be split into values in many ways costs little time', async () => {
  const text = `Could not fetch ${': ('.repeat(600)}`
  translated(text)
  const milliseconds = await processorMs(() => translated(text))
  assert.ok(milliseconds < 10, `${milliseconds} ms`)
})

messages('a translation that cannot be loaded is requested again after a minute, not for each message', async () => {
  let now = 0
  const loads: number[] = []
  const load = () => {
    loads.push(now)
    return now < 120_000 ? Promise.reject(new Error('404')) : Promise.resolve(translated)
  }
  const translator = loadOnce(load, () => now)
  for (now = 0; now <= 180_000; now += 30_000) await translator()
  assert.equal(loads, [0, 60_000, 120_000])
  assert.is(await translator(), translated)
})

messages('one of a thing is in the singular', () => {
  const rows: [english: string, german: string][] = [
    ['This must have at least 1 items.', 'Mindestens ein Eintrag ist nötig.'],
    ['Ensure this field has no more than 1 elements.', 'Höchstens ein Eintrag ist erlaubt.'],
    ['This plan allows 1 team member.', 'Dieser Tarif erlaubt ein Mitglied.'],
    [
      'At most 1 search may run at once on this plan. Try again when it has ended.',
      'Mit diesem Tarif läuft nur eine Suche auf einmal. Versuche es noch einmal, wenn sie beendet ist.',
    ],
    ['This crawl needs 5 credits, 1 remains for today.', 'Dieser Crawl braucht 5 Credits; für heute bleibt einer.'],
    [
      'Only 1 page credit remains in this billing period. Lower page_limit.',
      'In diesem Abrechnungszeitraum bleibt nur ein Seiten-Credit. Verringere das Seitenlimit.',
    ],
  ]
  for (const [english, german] of rows) assert.is(translated(english), german)
})

messages('the forms of the plugins that come with the product are German, and those of others stay', () => {
  const namesOnly = new Set(['JSON-LD', 'Microdata', 'Prompt'])
  const own = { properties: { order: { type: 'string', title: 'Reading order', description: 'Finished with the box' } } }
  const schemas = [structuredData, openaiExtract].map(({ description, options, title }) => ({ description, title, properties: options }))
  const forms = translatedForms({ first: schemas[0], second: schemas[1], own } as never, translated)
  const english: string[] = []
  const visit = (before: unknown, after: unknown): void => {
    if (typeof before !== 'object' || before === null) return
    for (const [name, value] of Object.entries(before)) {
      const now = (after as Record<string, unknown>)[name]
      if (/^(?:title|description|placeholder)$/.test(name) && value === now) english.push(String(now))
      visit(value, now)
    }
  }
  visit(schemas, Object.values(forms).slice(0, 2))
  assert.equal(
    english.filter((text) => !namesOnly.has(text)),
    ['Product'],
    'an example of a type',
  )
  assert.equal(forms['own'], own)
})

messages('all texts of an error are translated, however deep', () => {
  const fields = { url: ['Enter a valid URL.'], options: { page_options: { '0': ['This field is required.'] } } }
  assert.equal(translatedBody({ code: 400, errors: fields, message: 'Invalid input data.' }, translated), {
    code: 400,
    errors: { url: ['Gib eine gültige URL ein.'], options: { page_options: { '0': ['Dieses Feld ist erforderlich.'] } } },
    message: 'Die Eingabe ist ungültig.',
  })
  assert.equal(translatedBody({ code: 404, errors: null, message: 'Not found.' }, translated).errors, null)
})

messages.run()
