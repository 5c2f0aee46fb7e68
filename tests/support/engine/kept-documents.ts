/** The documents that a run has kept, read from the database as the product reads them. */
import type { UnpackedBody } from '#backend/crawler/page/page-body.ts'
import { missingHolders, openBodies } from '#backend/crawler/page/page-groups.ts'
import type { EngineHarness } from './engine.ts'

type Row = { no: number; url: string; title: string | null; encoding: number; body: Buffer }
export type KeptDocument = { no: number; url: string; title: string | null; document: UnpackedBody }

const BODIES = 'SELECT no, url, title, encoding, body FROM page JOIN page_body ON page_no = no'

/** In order; at most `limit` pages behind the page `after`. */
export function keptDocuments(engine: Pick<EngineHarness, 'rows'>, run: number, after = 0, limit = 1_000_000): KeptDocument[] {
  const rows = engine.rows<Row>(`${BODIES} WHERE run_no = ? AND no > ? ORDER BY no LIMIT ?`, run, after, limit)
  const open = openBodies(
    rows,
    missingHolders(rows).flatMap((no) => engine.rows<Row>(`${BODIES} WHERE no = ?`, no)),
  )
  return rows.map(({ body, encoding, no, title, url }) => ({ no, url, title, document: open({ no, encoding, body })! }))
}
