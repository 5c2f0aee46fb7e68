import { createSemaphore } from '#backend/platform/semaphore.ts'
import { Resolver, lookup } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'

type Resolved = { addresses: string[] } | { failure: string }

/** Lookups through the system share its few threads with disk access, so at most two run at once. */
const MAX_SYSTEM_LOOKUPS = 2

/**
 * Resolves names to addresses, IPv4 first. Queries the name servers itself, because the system's lookup blocks one of four threads, and a
 * silent name server would hold up all others. Honours the hosts file; uses the system's lookup only when no name server answers at all.
 *
 * @param otherMs  how long one kind of address is waited for when the other kind is known: some name servers never answer one of them
 * @param server   name server as `ADDRESS:PORT` (IPv6 in brackets); null = those of the system
 */
export function createNameResolver({
  otherMs = 300,
  server,
  timeoutMs = 2500,
}: {
  otherMs?: number
  server: string | null
  timeoutMs?: number
}) {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (server !== null) resolver.setServers([server])
  const asking = new Map<string, Promise<Resolved>>()
  const hostsFile = server === null ? createHostsFile('/etc/hosts') : null
  const { during: systemLookup } = createSemaphore(MAX_SYSTEM_LOOKUPS)
  return { cancel: () => resolver.cancel(), resolve }

  /** All addresses of a name. Concurrent calls share one query; answers are not cached. */
  function resolve(hostname: string): Promise<Resolved> {
    let pending = asking.get(hostname)
    if (pending === undefined) {
      pending = ask(hostname).finally(() => asking.delete(hostname))
      asking.set(hostname, pending)
    }
    return pending
  }

  async function ask(hostname: string): Promise<Resolved> {
    const local = await hostsFile?.find(hostname)
    if (local !== undefined && local.length > 0) return { addresses: local }
    const answers = await settled([resolver.resolve4(hostname), resolver.resolve6(hostname)], otherMs)
    const addresses = answers.flatMap((answer) => (answer?.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return { addresses }
    const code = answers.map(codeOf).find((each) => each !== null) ?? 'ENODATA'
    if (server === null && code === 'ECONNREFUSED') return askSystem(hostname)
    return { failure: code }
  }

  async function askSystem(hostname: string): Promise<Resolved> {
    try {
      const found = await systemLookup(() => lookup(hostname, { all: true, order: 'ipv4first' }))
      return { addresses: found.map(({ address }) => address) }
    } catch (error) {
      return { failure: (error as NodeJS.ErrnoException).code ?? 'ENOTFOUND' }
    }
  }
}

/** The results of all lookups; some may be missing when another one has had addresses for `otherMs` (RFC 8305, 3). */
async function settled(lookups: Promise<string[]>[], otherMs: number): Promise<(PromiseSettledResult<string[]> | undefined)[]> {
  const results = lookups.map((): PromiseSettledResult<string[]> | undefined => undefined)
  const all = lookups.map(async (lookup, place) => {
    const [result] = await Promise.allSettled([lookup])
    results[place] = result
    return result
  })
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    for (const one of all)
      void one.then(({ status }) => {
        if (status === 'fulfilled') timer ??= setTimeout(resolve, otherMs)
      })
  })
  await Promise.race([Promise.all(all), enough])
  clearTimeout(timer)
  return results
}

function codeOf(result: PromiseSettledResult<unknown> | undefined): string | null {
  return result?.status === 'rejected' ? ((result.reason as NodeJS.ErrnoException).code ?? 'EUNKNOWN') : null
}

/** The hosts file. Checked for changes at most every ten seconds. */
function createHostsFile(path: string) {
  let names = new Map<string, string[]>()
  let readAt = -Infinity
  let changedAt = 0
  return { find }

  async function find(hostname: string): Promise<string[] | undefined> {
    const now = performance.now()
    if (now - readAt > 10_000) {
      readAt = now
      await refresh()
    }
    return names.get(hostname)
  }

  async function refresh(): Promise<void> {
    try {
      const { mtimeMs } = await stat(path)
      if (mtimeMs === changedAt) return
      names = readHosts(await readFile(path, 'utf8'))
      changedAt = mtimeMs
    } catch {
      // a system without a hosts file
      names = new Map()
    }
  }
}

function readHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    for (const alias of aliases) {
      const name = alias.toLowerCase()
      names.set(name, [...(names.get(name) ?? []), address!])
    }
  }
  return names
}
