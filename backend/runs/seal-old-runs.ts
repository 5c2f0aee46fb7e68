import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { hideSecrets, sealSecrets } from './run-secrets.ts'

type Row = { run_no: number; id: string; kind: string; label: string; options: string; seeds: string }

const AT_ONCE = 100

/**
 * Seals the secrets of runs that an older version stored in clear text; the migration has listed them in `run_unsealed`. Runs once, at
 * start, in steps that survive a crash. The clear text is overwritten in the file and in its log.
 *
 * @returns how many runs had secrets
 */
export function sealOldRuns(connection: SqliteConnection, sealer: Sealer): number {
  const marked = connection.prepare(
    `SELECT run_no, run.id, kind, label, options, run_options.seeds FROM run_unsealed JOIN run_options USING (run_no) JOIN run ON run.no = run_no
    ORDER BY run_no LIMIT ?`,
  )
  const done = connection.prepare('DELETE FROM run_unsealed WHERE run_no = ?')
  const write = connection.prepare('UPDATE run_options SET options = ?, seeds = ?, secrets = ? WHERE run_no = ?')
  const rename = connection.prepare('UPDATE run SET label = ? WHERE no = ?')
  const retell = connection.prepare('UPDATE run_feed SET messages = replace(messages, ?, ?) WHERE run_no = ?')
  const step = connection.transaction((rows: Row[]) => rows.filter(sealRow).length)
  let sealed = 0
  let rows = marked.all(AT_ONCE) as Row[]
  if (rows.length === 0) return 0
  const before = connection.pragma('secure_delete', { simple: true })
  connection.pragma('secure_delete = ON')
  for (; rows.length > 0; rows = marked.all(AT_ONCE) as Row[]) sealed += step.immediate(rows)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.pragma(`secure_delete = ${String(before)}`)
  return sealed

  function sealRow({ id, kind, label, options, run_no: runNo, seeds }: Row): boolean {
    const hidden = hideSecrets({
      kind,
      label,
      options: JSON.parse(options) as Record<string, unknown>,
      seeds: JSON.parse(seeds) as string[],
    })
    done.run(runNo)
    write.run(JSON.stringify(hidden.options), JSON.stringify(hidden.seeds), sealSecrets(sealer, id, hidden.secrets), runNo)
    if (hidden.label !== label) {
      rename.run(hidden.label, runNo)
      retell.run(jsonText(label), jsonText(hidden.label), runNo)
    }
    return hidden.secrets !== null
  }
}

/** Escapes a text as inside of a JSON string. */
const jsonText = (text: string) => JSON.stringify(text).slice(1, -1)
