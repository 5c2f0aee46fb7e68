/** Which items of the command palette are shown for a query, by group. */
import * as t from '#texts/palette.ts'
import { ranked } from './fuzzy.ts'
import type { Command, CommandGroup } from './use-commands.tsx'

/** Most items per group; typing more finds the others. */
export const MAX_OF_GROUP = 6
/** Most items per group before anything is typed, except screens, which are all shown. */
const MAX_AT_REST = 4

type ShownItem = { command: Command; marks: readonly number[] }
/** `from`: the index of the group's first item among the items of all groups. */
export type ShownGroup = { title: string; from: number; items: readonly ShownItem[] }

const PLACES = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

/** The matching items by group; the group with the best match comes first. Without a query all groups in their own order. */
export function groupsFor(query: string, groups: readonly CommandGroup[]): ShownGroup[] {
  const isAtRest = query.trim() === ''
  const fitting = groups
    .map(({ title, commands, always }) => {
      const found = always
        ? commands.map((command) => ({ command, marks: [], score: PLACES[always] }))
        : ranked(query, commands, ({ label, words }) => (words ? `${label} ${words}` : label)).map(({ thing, match }) => ({
            command: thing,
            marks: match.marks.filter((mark) => mark < Array.from(thing.label).length),
            score: match.score,
          }))
      const most = isAtRest ? (title === t.goTo ? found.length : MAX_AT_REST) : MAX_OF_GROUP
      return { title, best: found[0]?.score ?? 0, items: found.slice(0, most) }
    })
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => (isAtRest || a.best === b.best ? 0 : b.best - a.best))
  return fitting.map(({ title, items }, index) => ({
    title,
    items,
    from: fitting.slice(0, index).reduce((sum, group) => sum + group.items.length, 0),
  }))
}
