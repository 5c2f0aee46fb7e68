/**
 * Makes a read that never throws: after an error it returns the value before.
 *
 * For reads in timers, where an error would end the process. What depends on the value is looked at again anyway.
 *
 * @param first    the value until a read has succeeded
 * @param onFault  called with each error
 */
export function lastRead<T>(read: () => T, first: T, onFault: (fault: unknown) => void): () => T {
  let last = first
  return () => {
    try {
      last = read()
    } catch (fault) {
      onFault(fault)
    }
    return last
  }
}
