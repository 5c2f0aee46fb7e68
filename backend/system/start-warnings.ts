/** What the log says at the start about the machine and its clock. */
import type { BackendConfig } from '#backend/config.ts'
import type { Ports } from '#backend/ports.ts'
import { clockWarning, newestRunAt } from './clock-warning.ts'
import { machineWarnings, readMachine } from './machine-warnings.ts'

/**
 * @param rendersHere   whether a browser of this machine renders pages
 * @param sqliteFolder  null with another database
 */
export async function startWarnings(
  { renderConcurrency, role }: Pick<BackendConfig, 'renderConcurrency' | 'role'>,
  { database, now }: Pick<Ports, 'database' | 'now'>,
  { rendersHere, sqliteFolder }: { rendersHere: boolean; sqliteFolder: string | null },
): Promise<string[]> {
  const crawls = role !== 'api'
  const machine = machineWarnings(await readMachine(sqliteFolder), {
    crawls,
    folder: sqliteFolder,
    slots: crawls && rendersHere ? renderConcurrency : 0,
  })
  const clock = clockWarning(now(), await newestRunAt(database))
  return clock === null ? machine : [...machine, clock]
}
