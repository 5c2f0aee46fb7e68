/** Reads the processes of this machine from /proc; works on Linux only. */
import { readFileSync, readdirSync } from 'node:fs'

/** Descendants of `of` whose command matches the pattern. */
export function processesBelow(of: number, pattern: RegExp): number[] {
  const parents = new Map<number, number>()
  const found: number[] = []
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name))
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
        if (pattern.test(readFileSync(`/proc/${name}/cmdline`, 'latin1'))) found.push(Number(name))
      } catch {
        // it has ended meanwhile
      }
  const isBelow = (pid: number): boolean => pid > 1 && (pid === of || isBelow(parents.get(pid) ?? 0))
  return found.filter((pid) => pid !== of && isBelow(pid))
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
  } catch {
    return false
  }
}

/** Kills the process at once; no error if it has just ended. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault
  }
}

/** Open files, sockets and pipes of a process. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
