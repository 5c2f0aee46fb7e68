/** URLs of a site as text, in pieces, from batches of them: a JSON list, a tree, Markdown. Whatever their number, few are in memory. */
import type { SitePage } from '#contract/sitemaps.ts'
import { openSorter } from '#backend/platform/database/sorter.ts'
import { markdownLine, treeRow, treeText } from './site-tree.ts'

/** `[…]` with an item for each of the batches' members. */
export async function* jsonList<T>(batches: AsyncIterable<T[]>, write: (member: T) => unknown): AsyncGenerator<string> {
  let opening = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield opening + batch.map((member) => JSON.stringify(write(member))).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** The nested tree of hosts and paths: sorted outside of memory, then written as it is read. */
export async function* siteTree(batches: AsyncIterable<SitePage[]>): AsyncGenerator<string> {
  const sorter = openSorter()
  try {
    for await (const batch of batches)
      for (const page of batch) {
        const row = treeRow(page)
        if (row !== null) sorter.add(row.path, row.rank, row.page)
      }
    yield* treeText(sorter.read())
  } finally {
    sorter.close()
  }
}

/** A bullet list; as one JSON string, or as it is. */
export async function* markdownList(batches: AsyncIterable<SitePage[]>, { asJson }: { asJson: boolean }): AsyncGenerator<string> {
  if (asJson) yield '"'
  for await (const batch of batches) {
    const lines = batch.map(markdownLine).join('')
    yield asJson ? JSON.stringify(lines).slice(1, -1) : lines
  }
  if (asJson) yield '"'
}
