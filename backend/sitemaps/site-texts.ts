/** URLs of a site as text, in pieces, from bites of them: a JSON list, a tree, Markdown. Whatever their number, few are in memory. */
import type { SitePage } from '#contract/sitemaps.ts'
import { openSorter } from '#backend/platform/database/sorter.ts'
import { markdownLine, treeRow, treeText } from './site-tree.ts'

/** `[…]` with an item for each of the bites' members. */
export async function* jsonList<T>(bites: AsyncIterable<T[]>, write: (member: T) => unknown): AsyncGenerator<string> {
  let opening = '['
  for await (const bite of bites) {
    if (bite.length === 0) continue
    yield opening + bite.map((member) => JSON.stringify(write(member))).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** The nested tree of hosts and paths: sorted outside of memory, then written as it is read. */
export async function* siteTree(bites: AsyncIterable<SitePage[]>): AsyncGenerator<string> {
  const sorter = openSorter()
  try {
    for await (const bite of bites)
      for (const page of bite) {
        const row = treeRow(page)
        if (row !== null) sorter.add(row.path, row.rank, row.page)
      }
    yield* treeText(sorter.read())
  } finally {
    sorter.close()
  }
}

/** A bullet list; as one JSON string, or as it is. */
export async function* markdownList(bites: AsyncIterable<SitePage[]>, { asJson }: { asJson: boolean }): AsyncGenerator<string> {
  if (asJson) yield '"'
  for await (const bite of bites) {
    const lines = bite.map(markdownLine).join('')
    yield asJson ? JSON.stringify(lines).slice(1, -1) : lines
  }
  if (asJson) yield '"'
}
