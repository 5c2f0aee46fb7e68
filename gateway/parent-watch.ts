/**
 * Detects that the parent program has ended. npm starts this process through a shell and forwards signals only to that shell, which
 * may end without forwarding them; a killed npm forwards nothing. The orphan would keep the port and the data folder.
 */
import { readFileSync } from 'node:fs'

const LOOK_MS = 1000
const SHELLS = /^(?:sh|dash|bash|ash|ksh|zsh|busybox)$/

/** Process information of the operating system. */
export type Processes = {
  /** The parent of this process, as it is now. */
  parent: () => number
  /** The name and the parent of another process; null if it does not exist, or the system does not tell. */
  describe: (pid: number) => { name: string; parent: number } | null
  isThere: (pid: number) => boolean
}

/**
 * Calls `onGone` once, when the parent has ended, or where that is a shell, the parent of the shell. Only for a process that npm has
 * started: others may well outlive their parent, as under nohup or systemd.
 *
 * @returns stops watching
 */
export function watchParent(
  onGone: () => void,
  { processes = system, lookMs = LOOK_MS }: { processes?: Processes; lookMs?: number } = {},
): () => void {
  const parent = processes.parent()
  const described = processes.describe(parent)
  const grandparent = described !== null && SHELLS.test(described.name) ? described.parent : null
  const timer = setInterval(() => {
    if (isHere()) return
    clearInterval(timer)
    onGone()
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)

  function isHere(): boolean {
    // An orphan gets another parent; on Windows it keeps the id of the ended one.
    if (processes.parent() !== parent || !processes.isThere(parent)) return false
    return grandparent === null || processes.describe(parent)?.parent === grandparent
  }
}

const system: Processes = { parent: () => process.ppid, describe: describeFromProc, isThere }

/** From /proc of Linux. Elsewhere null: there the shells of npm replace themselves by the one command that they are given. */
function describeFromProc(pid: number): { name: string; parent: number } | null {
  try {
    // `pid (name) state parent …`, and the name may hold anything, parentheses too.
    const [, name = '', parent] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return parent === undefined ? null : { name, parent: Number(parent) }
  } catch {
    return null
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
