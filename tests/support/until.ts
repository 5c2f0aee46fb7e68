/** Waits for another thread or process. */
const LIMIT_MS = 30_000
const LOOK_MS = 20

/** Resolves when `holds` returns true; throws after half a minute, or after `limitMs`. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number = LIMIT_MS): Promise<void> {
  const limit = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`it did not come true in time: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
