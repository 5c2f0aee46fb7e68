/**
 * Collects what is young and dead after so many bytes of it. Bytes outside of the heap weigh nothing there, so that without this
 * 64 MiB of sent pieces gather before they are given back. Without `--expose-gc` nothing happens.
 */
export function collectYoungEvery(bytes: number): (more: number) => void {
  const collect = globalThis.gc
  let waiting = 0
  return (more) => {
    waiting += more
    if (waiting < bytes || collect === undefined) return
    waiting = 0
    collect({ type: 'minor' })
  }
}
