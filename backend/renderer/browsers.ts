/**
 * The browsers of the renderer's process: one at work, and for a moment the one before it, which sees its last pages through.
 *
 * A browser is replaced after so many pages, or when its processes hold too much memory; one that holds twice as much, that has crashed or
 * that does not answer is killed with all its processes.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { killGroup } from './kill-group.ts'

const PAGES_PER_BROWSER = 100
const MEMORY_LOOK_MS = 1000
const LAUNCH_MS = 30_000
const CLOSE_MS = 5000
const PAGE_BYTES = 4096
const MIB = 1024 * 1024
/** A browser without a page, and what a page may add before its browser is replaced. */
const BROWSER_MIB = 600
const PAGE_MIB = 400

const FLAGS = [
  // Nothing leaves but through the proxy of each page: no QUIC, no UDP of WebRTC, no name looked up.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-background-networking',
  '--disable-speech-api',
  '--mute-audio',
  // Pages are drawn in memory; a GPU process would only use more of it.
  '--disable-gpu',
  // A page that fills its memory crashes alone.
  '--js-flags=--max-old-space-size=512',
]
/** What a browser asks for outside of a page goes to a port where nothing answers. */
const NOWHERE = { server: 'http://127.0.0.1:1', bypass: '<-loopback>' }

type Held = { browser: Browser; pid: number | null; pages: number; inUse: number; isOver: boolean; isSpent: boolean }

export type BrowserLog = Record<'info' | 'warn', (facts: object, message: string) => void>

/**
 * @param folder   for profiles and temporary files
 * @param started  called with the process of each browser
 */
export function createBrowsers({
  folder,
  log,
  path,
  slots,
  started,
}: {
  folder: string
  log: BrowserLog
  path: string
  slots: number
  started: (pid: number) => void
}) {
  const mostBytes = Math.min((BROWSER_MIB + PAGE_MIB * slots) * MIB, totalmem() / 2)
  const held = new Set<Held>()
  let current: Promise<Held> | null = null
  /** Null until a launch has told. */
  let hasSandbox: boolean | null = null
  let watch: NodeJS.Timeout | undefined
  return { take, close, killAll }

  /** A browser for one page; `release` must be called. Rejects when none can be started. */
  async function take(): Promise<{ browser: Browser; release: () => void; isWell: () => boolean }> {
    const one = await usable()
    one.pages += 1
    one.inUse += 1
    if (one.pages >= PAGES_PER_BROWSER) replace(one)
    return {
      browser: one.browser,
      isWell: () => one.browser.isConnected() && !one.isOver,
      release: () => {
        one.inUse -= 1
        if (one.isSpent && one.inUse === 0) void end(one)
      },
    }
  }

  async function usable(): Promise<Held> {
    for (;;) {
      const starting = (current ??= launch())
      try {
        const one = await starting
        if (one.browser.isConnected() && !one.isSpent) return one
        if (current === starting) current = null
      } catch (fault) {
        if (current === starting) current = null
        throw fault
      }
    }
  }

  /** No further page; it ends with the last that it has. */
  function replace(one: Held) {
    one.isSpent = true
    current = null
    if (one.inUse === 0) void end(one)
  }

  async function launch(): Promise<Held> {
    const browser = hasSandbox === false ? await start(false) : await start(true).catch(withoutSandbox)
    const one: Held = { browser, pid: await pidOf(browser), pages: 0, inUse: 0, isOver: false, isSpent: false }
    held.add(one)
    if (one.pid !== null) started(one.pid)
    browser.once('disconnected', () => void end(one))
    watch ??= setInterval(look, MEMORY_LOOK_MS).unref()
    return one
  }

  function start(chromiumSandbox: boolean): Promise<Browser> {
    return chromium
      .launch({
        executablePath: path,
        args: FLAGS,
        chromiumSandbox,
        proxy: NOWHERE,
        timeout: LAUNCH_MS,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        env: environment(folder),
      })
      .then((browser) => {
        if (hasSandbox === null)
          log.info({ path, version: browser.version(), sandbox: chromiumSandbox }, 'the browser for rendering has started')
        hasSandbox ??= chromiumSandbox
        return browser
      })
  }

  /** Root, and kernels without user namespaces, have no sandbox: pages are drawn all the same, and the log says so. */
  async function withoutSandbox(fault: unknown): Promise<Browser> {
    const browser = await start(false).catch(() => {
      throw fault
    })
    log.warn(
      { path },
      'the browser runs without its sandbox: this user may not have one here (root, or a kernel without user namespaces). Run the product as another user, or allow user namespaces',
    )
    return browser
  }

  function look() {
    for (const one of held) {
      const bytes = one.pid === null ? 0 : groupBytes(one.pid)
      if (bytes > 2 * mostBytes) {
        log.warn({ bytes, mostBytes }, 'a browser held too much memory and was killed')
        if (!one.isSpent) replace(one)
        kill(one)
      } else if (bytes > mostBytes && !one.isSpent) {
        log.info({ bytes, mostBytes, pages: one.pages }, 'a browser holds much memory and is replaced')
        replace(one)
      }
    }
  }

  async function end(one: Held): Promise<void> {
    if (one.isOver) return
    one.isOver = true
    one.isSpent = true
    const closing = one.browser.close().catch(() => undefined)
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    kill(one)
    held.delete(one)
    if (held.size > 0) return
    clearInterval(watch)
    watch = undefined
  }

  function kill({ pid }: Held) {
    if (pid !== null) killGroup(pid)
  }

  async function close(): Promise<void> {
    const last = current
    current = null
    await last?.catch(() => undefined)
    await Promise.all([...held].map(end))
  }

  /** At once, when nothing can be waited for. */
  function killAll() {
    for (const one of held) kill(one)
  }
}

/** Nothing of ours reaches the browser by its environment: no key, no option. */
const environment = (folder: string): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: folder,
  TMPDIR: folder,
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  LANG: 'C.UTF-8',
})

async function pidOf(browser: Browser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession()
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.find(({ type }) => type === 'browser')?.id ?? null
  } catch {
    return null
  } finally {
    await session.detach().catch(() => undefined)
  }
}

/** Memory of its own that a group of processes holds; 0 where the system does not tell. Source: proc_pid_stat(5), proc_pid_statm(5). */
function groupBytes(group: number): number {
  let bytes = 0
  try {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== group) continue
        const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number)
        bytes += (resident - shared) * PAGE_BYTES
      } catch {
        // it has ended meanwhile
      }
    }
  } catch {
    return 0
  }
  return bytes
}
