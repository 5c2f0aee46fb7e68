import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type HostileCase = {
  id: string
  group: string
  url: string
  render: boolean
  needs?: string
  expect: {
    outcome: 'page' | 'error' | 'skip' | 'either'
    reason?: string
    text?: string
    notText?: string
    maxHits?: number
    maxBytes: number
  }
}

export type HostileHits = {
  canary: { requests: number; udp: number }
  dns: Record<string, number>
  echo: { authorization: boolean; cookie: boolean; names: string[] }[]
  cases: Record<string, { requests: number; bytes: number; open: number }>
  /** Requests to cases that are webhooks or models, with their bodies. */
  hooks: { id: string; headers: Record<string, string | undefined>; body: string }[]
}

/** The web site that misbehaves, in a process of its own on a free block of loopback ports. */
export async function startHostileSite({ maxBodyMib = 16, maxHoldSeconds = 30 } = {}) {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    // Below the ports that the system uses for outgoing connections.
    const port = 10_000 + Math.floor(Math.random() * 350) * 64
    const site = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('hostile-web.mjs', import.meta.url)),
        '--port',
        String(port),
        '--max-body',
        String(maxBodyMib),
        '--max-hold',
        String(maxHoldSeconds),
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const isUp = await new Promise<boolean>((resolve) => {
      site.stdout.once('data', () => resolve(true))
      site.once('exit', () => resolve(false))
    })
    if (!isUp) continue
    site.stdout.resume()
    const main = `http://127.0.0.1:${port}`
    const get = async <T>(path: string): Promise<T> => (await (await fetch(main + path)).json()) as T
    const { cases } = await get<{ cases: HostileCase[] }>('/cases.json')
    return {
      /** The `EGRESS_ALLOW` of these tests: the whole block except the internal service behind it. */
      allow: `127.0.0.1:${port},127.0.0.1:${port + 2}-${port + 63}`,
      authority: async () => (await fetch(`${main}/ca.pem`)).text(),
      canaryPort: port + 1,
      cases,
      hits: () => get<HostileHits>('/hits.json'),
      main,
      port,
      reset: async () => void (await fetch(`${main}/reset`, { method: 'POST' })),
      resolver: `127.0.0.1:${port + 2}`,
      stop: async () => {
        const gone = new Promise((resolve) => site.once('exit', resolve))
        site.kill()
        await gone
      },
      vectors: async () => (await get<{ vectors: { url: string; verdict: 'allow' | 'deny' }[] }>('/vectors.json')).vectors,
    }
  }
  throw new Error('no free block of ports for the hostile site')
}

export type HostileSite = Awaited<ReturnType<typeof startHostileSite>>
