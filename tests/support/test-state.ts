/** The database of a test: a file in its folder, or with `TEST_DATABASE=postgres` one of its own in a real PostgreSQL. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#backend/platform/database/database.ts'
import { sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { openMigrated, writeMigrated } from './migrated.ts'

export const isOverPostgres = process.env['TEST_DATABASE'] === 'postgres'

/** For tests of the SQLite file itself: with PostgreSQL they are reported as skipped. */
export const aboutFiles = <T extends { skip: (title: string, test: never) => void }>(tests: T): T =>
  isOverPostgres ? (tests.skip as unknown as T) : tests

/** Databases by data folder: a second app on the same folder finds the data of the first. */
const known = new Map<string, { databaseUrl: string; drop: () => Promise<void> }>()

export async function testState(dataDir: string): Promise<{ databaseUrl: string; drop: () => Promise<void> }> {
  if (!isOverPostgres) {
    const file = join(dataDir, 'seine.db')
    if (!existsSync(file)) writeMigrated(file)
    return { databaseUrl: `sqlite:${file}`, drop: async () => undefined }
  }
  const state = known.get(dataDir)
  if (state !== undefined) return { ...state, drop: async () => undefined }
  const { postgresDatabase } = await import('./stubs/postgres.ts')
  const { url } = await postgresDatabase()
  // The folder belongs to the test, which may still open a second app over it. The database ends with its server.
  const made = { databaseUrl: url, drop: async () => undefined }
  known.set(dataDir, made)
  return made
}

/** A migrated database without a file. */
export async function openTestDatabase(): Promise<Database> {
  if (isOverPostgres) {
    const [{ postgresDatabase }, postgres] = await Promise.all([
      import('./stubs/postgres.ts'),
      import('#backend/platform/database/postgres/postgres.ts'),
    ])
    const { url } = await postgresDatabase()
    return postgres.postgresDatabase(postgres.openPostgres(url, { answerMs: 10_000, connections: 6, name: 'test' }))
  }
  return sqliteDatabase(openMigrated())
}
