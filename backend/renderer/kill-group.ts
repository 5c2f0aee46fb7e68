/** Ends a browser with all its processes, which are one group; one that has ended already is left alone. */
export function killGroup(pid: number): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // it is no group here, or has ended
    }
}
