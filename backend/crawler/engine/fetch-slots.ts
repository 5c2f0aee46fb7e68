/**
 * Whose run starts the next fetch, and whether there is a slot for it.
 *
 * Shares (opaque keys; the engine uses the owners of teams) take turns, within a share its teams, and within a team its runs, one URL each.
 * Turns alone would let a share with long fetches take all slots, so each share is owed an equal part of them: while it holds less, it may
 * start although all slots are taken, up to as many again. Slots owed to no share go to any share that can use them.
 */
import { createUsageByShare } from './usage-by-share.ts'

/** After all slots were taken, fetches start again below this load, so that they start in groups. */
const GOES_ON_BELOW = 0.75

type Turn = { opensAt: number }
export type SlotRun<Found> = { share: string; team: string; turn(at: number): Found | Turn }

/** @param slots  fetches in progress at once; more only where a share is owed them */
export function createFetchSlots<Found extends object, Run extends SlotRun<Found>>({ slots }: { slots: number }) {
  /** By share and team; the team that started a fetch last is the last of its share. */
  const runs = new Map<string, Map<string, Run[]>>()
  const inProgress = createUsageByShare()
  let next = 0
  let isFull = false
  return {
    add,
    remove,
    take,
    /** A fetch of the share has started (1) or ended (-1). */
    change: inProgress.change,
    /** The number of shares that have runs. */
    get shares() {
      return runs.size
    },
  }

  function add(run: Run) {
    const teams = runs.get(run.share) ?? new Map<string, Run[]>()
    runs.set(run.share, teams.set(run.team, [...(teams.get(run.team) ?? []), run]))
  }

  function remove(run: Run) {
    const teams = runs.get(run.share)
    const others = (teams?.get(run.team) ?? []).filter((other) => other !== run)
    if (others.length > 0) teams?.set(run.team, others)
    else teams?.delete(run.team)
    if (teams?.size === 0) runs.delete(run.share)
  }

  /**
   * The next fetch and its run; or when to ask again, Infinity when something has to end first.
   * @param hasRoom  whether parsing and commits have room for more of a share
   */
  function take(at: number, hasRoom: (share: string) => boolean = () => true): { run: Run; found: Found } | Turn {
    if (inProgress.total >= slots) isFull = true
    else if (inProgress.total <= slots * GOES_ON_BELOW) isFull = false
    if (inProgress.total >= 2 * slots) return { opensAt: Infinity }
    const shares = [...runs.keys()]
    const part = shares.length === 1 ? slots * GOES_ON_BELOW : Math.max(1, Math.floor(slots / shares.length))
    const owed = takeOf(shares, at, (share) => inProgress.of(share) < part && hasRoom(share))
    if (isFull || !('opensAt' in owed)) return owed
    const rest = takeOf(shares, at, (share) => inProgress.of(share) >= part && hasRoom(share))
    return 'opensAt' in rest ? { opensAt: Math.min(owed.opensAt, rest.opensAt) } : rest
  }

  function takeOf(shares: string[], at: number, isMeant: (share: string) => boolean): { run: Run; found: Found } | Turn {
    let opensAt = Infinity
    for (let step = 0; step < shares.length; step += 1) {
      const index = (next + step) % shares.length
      if (!isMeant(shares[index]!)) continue
      const taken = takeOfShare(runs.get(shares[index]!)!, at)
      if (!('opensAt' in taken)) {
        next = index + 1
        return taken
      }
      opensAt = Math.min(opensAt, taken.opensAt)
    }
    return { opensAt }
  }

  function takeOfShare(teams: Map<string, Run[]>, at: number): { run: Run; found: Found } | Turn {
    let opensAt = Infinity
    for (const [team, ofTeam] of teams)
      for (let tried = 0, most = ofTeam.length; tried < most; tried += 1) {
        const run = ofTeam.shift()!
        ofTeam.push(run)
        const found = run.turn(at)
        if (!('opensAt' in found)) {
          teams.delete(team)
          teams.set(team, ofTeam)
          return { run, found }
        }
        opensAt = Math.min(opensAt, found.opensAt)
      }
    return { opensAt }
  }
}
