/** URLs of a site as text, from batches, in pieces: a JSON list, a tree, Markdown. Only a few URLs are in memory, whatever their number. */
import type { SitePage } from '#contract/sitemaps.ts'
import { openSorter } from '#backend/platform/database/sorter.ts'
import { markdownLine, treeRow, treeText } from './site-tree.ts'

/** While a tree is sorted, its reader gets white space so often, which JSON allows: proxies end an answer of which they get no byte for a minute. */
const SIGN_OF_LIFE_MS = 5000

/** A JSON list with an item for each member of the batches. */
export async function* jsonList<T>(batches: AsyncIterable<T[]>, write: (member: T) => unknown): AsyncGenerator<string> {
  let opening = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield opening + batch.map((member) => JSON.stringify(write(member))).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** The nested tree of hosts and paths: sorted on disk, then written while it is read. */
export async function* siteTree(batches: AsyncIterable<SitePage[]>, now = () => performance.now()): AsyncGenerator<string> {
  const sorter = openSorter()
  let wroteAt = now()
  try {
    for await (const batch of batches) {
      for (const page of batch) {
        const row = treeRow(page)
        if (row !== null) sorter.add(row.path, row.rank, row.page)
      }
      if (now() - wroteAt < SIGN_OF_LIFE_MS) continue
      wroteAt = now()
      yield '\n'
    }
    yield* treeText(sorter.read())
  } finally {
    sorter.close()
  }
}

/** A bullet list, as one JSON string or as plain text. */
export async function* markdownList(batches: AsyncIterable<SitePage[]>, { asJson }: { asJson: boolean }): AsyncGenerator<string> {
  if (asJson) yield '"'
  for await (const batch of batches) {
    const lines = batch.map(markdownLine).join('')
    yield asJson ? JSON.stringify(lines).slice(1, -1) : lines
  }
  if (asJson) yield '"'
}
