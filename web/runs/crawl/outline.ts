/** The outline of a rendered page: its headings of levels 1 to 4, in order. Pure. */

export type OutlineEntry<Heading> = { level: number; text: string; heading: Heading }

/** How many headings are listed. */
const MOST = 200

/** @param headings  elements with their level in Markdown as `data-level`; those without text are left out */
export function outlineOf<Heading extends Pick<HTMLElement, 'dataset' | 'textContent'>>(
  headings: Iterable<Heading>,
): OutlineEntry<Heading>[] {
  const entries: OutlineEntry<Heading>[] = []
  for (const heading of headings) {
    if (entries.length === MOST) break
    const level = Number(heading.dataset['level'])
    const text = heading.textContent?.replace(/\s+/g, ' ').trim() ?? ''
    if (level >= 1 && level <= 4 && text !== '') entries.push({ level, text, heading })
  }
  return entries
}
