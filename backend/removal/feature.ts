/** Deletion: removes what is marked as deleted, and marks what has exceeded its retention. */
import type { Ports } from '#backend/ports.ts'
import { createDeletedTeams } from './deleted-teams.ts'
import { recurringRemoval } from './recurring-removal.ts'
import { removeAtEnd } from './remove-at-end.ts'
import { createRetention } from './retention.ts'
import { retentionRoutes } from './routes.ts'
import type { SweepHost } from './sweep-host.ts'

type Others = {
  checkOwner: Parameters<typeof retentionRoutes>[0]['checkOwner']
  hasDeletedTeams: () => boolean
  installationDays: number
  runs: {
    deleteAllOf: Parameters<typeof createDeletedTeams>[0]['deleteAllOf']
    deleteByNumber: Parameters<typeof createRetention>[0]['deleteRuns']
  }
  sweeper: SweepHost
}

/** Its functions and routes; `close` stops the timers, but not the sweep. */
export function removalFeature(ports: Ports, { checkOwner, hasDeletedTeams, installationDays, runs, sweeper }: Others) {
  const { database, log, now, readers, steady, warn } = ports
  const deletedTeams = createDeletedTeams({
    database,
    deleteAllOf: runs.deleteAllOf,
    onFault: (fault) => warn({ err: fault }, 'the jobs of a deleted team could not be deleted; it is tried again within a minute'),
  })
  const retention = createRetention({ database, deleteRuns: runs.deleteByNumber, installationDays, lists: readers.database, now })
  const close = recurringRemoval({ clock: { steady, wall: now }, deletedTeams, hasDeletedTeams, log, retention, sweeper })
  return {
    daysOf: retention.daysOf,
    finishTeams: deletedTeams.finish,
    onRunEnded: removeAtEnd(sweeper),
    routes: [retentionRoutes({ checkOwner, retention })],
    close,
  }
}
