/** Scroll positions by history entry, as text. Pure. */

/** How many history entries are remembered: the latest ones. */
export const MAX_PLACES = 50

export type Places = Map<string, number>

/** Parses the text of `writePlaces`; skips invalid entries. */
export function readPlaces(text: string | null): Places {
  const stored = parsed(text)
  return new Map(stored.filter((pair): pair is [string, number] => isPlace(pair)))
}

/** The latest positions: an entry moves to the end when it is stored again. */
export const writePlaces = (places: ReadonlyMap<string, number>): string => JSON.stringify([...places].slice(-MAX_PLACES))

export function notePlace(places: Places, entry: string, y: number): void {
  places.delete(entry)
  places.set(entry, Math.round(y))
}

const isPlace = (pair: unknown): boolean =>
  Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'number' && pair[1] >= 0

function parsed(text: string | null): unknown[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return [] // invalid text: every page then begins at its top
  }
}
