/**
 * Returns a function that loads something with its first call and then returns the same. A failure is not remembered: the next call loads
 * again, since a lack of file descriptors passes.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((fault: unknown) => {
      loading = null
      throw fault
    })
    return loading
  }
}
