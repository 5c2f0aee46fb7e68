/** What a page declares for machines: JSON-LD, microdata, Open Graph and Twitter cards, as one JSON value. */
import { tidy } from '#backend/crawler/page/page.ts'
import type { Plugin } from './plugin.ts'
import { readJsonLd } from './structured-data/json-ld.ts'
import { readMicrodata } from './structured-data/microdata.ts'
import type { WholeElement } from './whole-tree.ts'

const MAX_PROPERTIES = 300
const MAX_VALUE_LENGTH = 4096

export const structuredData: Plugin = {
  key: 'structured_data',
  title: 'Structured data',
  description:
    'Keeps the data that a page provides for machines: products, articles, recipes, events and the like, as one JSON value beside the text.',
  options: {
    json_ld: {
      type: 'boolean',
      title: 'JSON-LD',
      description: 'Data in scripts of the page',
      default: true,
      ui: { widget: 'switch' },
    },
    microdata: {
      type: 'boolean',
      title: 'Microdata',
      description: 'Data that is marked up in the text',
      default: true,
      ui: { widget: 'switch' },
    },
    open_graph: {
      type: 'boolean',
      title: 'Open Graph and Twitter cards',
      description: 'What a link to the page looks like where it is shared',
      default: true,
      ui: { widget: 'switch' },
    },
    types: {
      type: 'array',
      title: 'Only these types',
      description: 'Such as Product or Article. Empty keeps items of every type; JSON-LD and microdata only.',
      default: [],
      maxItems: 50,
      uniqueItems: true,
      items: {
        type: 'string',
        title: 'Type',
        minLength: 1,
        maxLength: 100,
        ui: { placeholder: 'Product' },
      },
    },
  },

  extract(page, options) {
    const root = page.tree()
    if (root === null) return undefined
    const isWanted = typeFilter(options['types'])
    const notes: string[] = []
    const items = options['json_ld'] === true ? readJsonLd(root, isWanted, notes) : []
    const marked = options['microdata'] === true ? readMicrodata(root, page.resolve, isWanted, notes) : []
    const cards = options['open_graph'] === true ? readCards(root) : { openGraph: null, twitter: null }
    const found = {
      ...(items.length > 0 && { json_ld: items }),
      ...(marked.length > 0 && { microdata: marked }),
      ...(cards.openGraph && { open_graph: cards.openGraph }),
      ...(cards.twitter && { twitter: cards.twitter }),
      ...(notes.length > 0 && { notes }),
    }
    return Object.keys(found).length > 0 ? found : undefined
  },
}

/** Whether a type is wanted. Compares the last word: `https://schema.org/Product` and `schema:product` are both Product. */
function typeFilter(types: unknown): (type: string) => boolean {
  const wanted = new Set((Array.isArray(types) ? types : []).map((type) => lastWord(String(type))))
  return (type) => wanted.size === 0 || wanted.has(lastWord(type))
}

const lastWord = (type: string) => type.trim().split(/[/#:]/).at(-1)!.toLowerCase()

type Card = Record<string, string | string[]>

/** Metadata of Open Graph and Twitter, under their own names; a repeated name has a list. */
function readCards(root: WholeElement): { openGraph: Card | null; twitter: Card | null } {
  const openGraph = new Map<string, string[]>()
  const twitter = new Map<string, string[]>()
  let count = 0
  for (const element of root.elements()) {
    if (element.name !== 'meta' || count >= MAX_PROPERTIES) continue
    const name = (element.attribute('property') ?? element.attribute('name'))?.trim().toLowerCase() ?? ''
    const card = name.startsWith('twitter:') ? twitter : /^(?:og|article|book|profile|video|music|product):/.test(name) ? openGraph : null
    const value = tidy((element.attribute('content') ?? '').slice(0, MAX_VALUE_LENGTH))
    if (card === null || value === '' || name.length > 100) continue
    count += 1
    card.set(name, [...(card.get(name) ?? []), value])
  }
  return { openGraph: cardOf(openGraph), twitter: cardOf(twitter) }
}

function cardOf(properties: ReadonlyMap<string, string[]>): Card | null {
  if (properties.size === 0) return null
  return Object.fromEntries([...properties].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}
