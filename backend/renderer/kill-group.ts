/** Kills a browser with all its processes, which form one group; does nothing if it has ended already. */
export function killGroup(pid: number): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // no group, or it has ended
    }
}
