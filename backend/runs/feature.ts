/** Runs of every kind: starting, listing, stopping and deleting them, and their live streams. */
import { randomBytes } from 'node:crypto'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createProgress } from './progress.ts'
import { createRuns } from './runs.ts'

const SALT_BYTES = 16

type RunNeeds = Parameters<typeof createRuns>[0]

type Others = Pick<RunNeeds, 'cancelRun' | 'hooks' | 'onDeleted' | 'onMade' | 'queue' | 'reserve'> & {
  maxStreams: number
  mayRead: Parameters<typeof createProgress>[0]['mayRead']
}

/** Its functions; `progress.close` ends every stream. */
export function runsFeature(ports: Ports, { maxStreams, mayRead, ...others }: Others) {
  const { bus, database, every, keyFor, newId, now, readers, steady, warn } = ports
  const runs = createRuns({
    ...others,
    bus,
    database,
    lists: readers.database,
    newId,
    newSalt: () => randomBytes(SALT_BYTES),
    now,
    sealer: createSealer(keyFor('secrets of runs')),
  })
  const progress = createProgress({ bus, database, every, maxStreams, mayRead, now: steady, warn })
  return { progress, runs }
}
