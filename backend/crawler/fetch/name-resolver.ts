import { createSemaphore } from '#backend/platform/semaphore.ts'
import { Resolver, lookup } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'

export type Resolved = { addresses: string[] } | { failure: string }

/** Lookups through the system share its few threads with disk access, so at most two run at once. */
const MAX_SYSTEM_LOOKUPS = 2

/**
 * Resolves names to addresses, IPv4 first. Queries the name servers itself, because the system's lookup blocks one of four threads, and a
 * silent name server would hold up all others. Honours the hosts file; uses the system's lookup only when no name server answers at all.
 *
 * @param server  name server as `ADDRESS:PORT` (IPv6 in brackets); null = those of the system
 */
export function createNameResolver({ server, timeoutMs = 2500 }: { server: string | null; timeoutMs?: number }) {
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
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])]
    if (addresses.length > 0) return { addresses }
    const code = codeOf(v4) ?? codeOf(v6) ?? 'ENODATA'
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

function codeOf(result: PromiseSettledResult<unknown>): string | null {
  return result.status === 'rejected' ? ((result.reason as NodeJS.ErrnoException).code ?? 'EUNKNOWN') : null
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
