/** Finds the parts of an Office Open XML package by their relations: producers choose the names of parts. Source: ECMA-376 part 2, 6.5. */
import { partName } from '../archive.ts'
import type { Archive } from '../archive.ts'
import { readXml } from '../xml.ts'

/** What a part refers to, by the ids that it uses. External targets are URLs, internal ones names of parts. */
export type Relations = Map<string, { target: string; type: string; isExternal: boolean }>

/** Longest link target: any number of links may share one. */
const MAX_TARGET_LENGTH = 8192
const MAX_RELATIONS = 50_000

/**
 * The relations of a part; internal targets are full names of parts.
 *
 * @param part  its name; empty for the package
 */
export function relationsOf(archive: Archive, part: string): Relations {
  const relations: Relations = new Map()
  const slash = part.lastIndexOf('/') + 1
  const xml = archive.text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
  if (xml === null) return relations
  readXml(xml, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || relations.size >= MAX_RELATIONS) return
      const { Id, Target, Type = '', TargetMode } = attributes
      if (Id === undefined || Target === undefined || Target.length > MAX_TARGET_LENGTH) return
      const isExternal = TargetMode === 'External'
      relations.set(Id, {
        target: isExternal ? Target : partName(part, Target),
        type: Type.slice(Type.lastIndexOf('/') + 1),
        isExternal,
      })
    },
  })
  return relations
}

/** The name of the first internal part with this type of relation, null when there is none. */
export function partOfType(relations: Relations, type: string): string | null {
  for (const relation of relations.values()) if (relation.type === type && !relation.isExternal) return relation.target
  return null
}

/** The URL of a relation; empty for one to another part. */
export function externalTarget(relations: Relations, id: string): string {
  const relation = relations.get(id)
  return relation?.isExternal ? relation.target : ''
}

/** The part with the text, the workbook or the slides; null in other archives. */
export function mainPart(archive: Archive): string | null {
  const named = partOfType(relationsOf(archive, ''), 'officeDocument')
  const usual = ['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml']
  return [named, ...usual].find((part) => part !== null && archive.has(part)) ?? null
}
