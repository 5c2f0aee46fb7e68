import type { Archive } from '../archive.ts'
import { NO_FACTS } from '../document.ts'
import type { DocumentFacts } from '../document.ts'
import { textsOf } from '../xml.ts'

/** Reads the properties of an Office Open XML document. Source: ECMA-376 part 2, core properties. */
export function coreFacts(archive: Archive): DocumentFacts {
  const xml = archive.text('docProps/core.xml')
  if (xml === null) return NO_FACTS
  const texts = textsOf(xml, ['title', 'creator', 'created', 'modified', 'language', 'keywords', 'description'])
  const fact = (name: string) => texts.get(name)?.trim() ?? null
  return {
    title: fact('title'),
    author: fact('creator'),
    createdAt: fact('created'),
    modifiedAt: fact('modified'),
    language: fact('language'),
    keywords: fact('keywords'),
    description: fact('description'),
  }
}
