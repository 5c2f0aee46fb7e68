/**
 * The browsers of the renderer's process: one at work, and for a while the previous one, which finishes its last pages.
 *
 * A browser is replaced after a number of pages, or when its processes use too much memory. One that uses twice as much, has crashed or
 * does not answer is killed with all its processes.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { memoryBytes } from '#config/memory.ts'
import { killGroup } from './kill-group.ts'

const PAGES_PER_BROWSER = 100
const MEMORY_LOOK_MS = 1000
const LAUNCH_MS = 30_000
const CLOSE_MS = 5000
const PAGE_BYTES = 4096
const MIB = 1024 * 1024
/** Memory of a browser without a page, and what pages may add before it is replaced. */
const BROWSER_MIB = 600
const PAGE_MIB = 400

const FLAGS = [
  // All traffic must go through the proxy of each page: no QUIC, no WebRTC over UDP, no DNS.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-background-networking',
  '--disable-speech-api',
  // No windows: their requests would go out before anything could judge them.
  '--block-new-web-contents',
  '--mute-audio',
  // Rendering is in software; a GPU process would only use memory.
  '--disable-gpu',
  // A page that exhausts this heap crashes alone.
  '--js-flags=--max-old-space-size=512',
]
/** Arguments of the driver that are left out. The headless shell opens no windows at all; a whole Chromium then opens only those of a click. */
const NOT_WANTED = ['--disable-popup-blocking']
/** Requests of the browser itself go to a port where nothing listens. */
const NOWHERE = { server: 'http://127.0.0.1:1', bypass: '<-loopback>' }

type Held = { browser: Browser; pid: number | null; pages: number; inUse: number; isOver: boolean; isSpent: boolean }

type BrowserLog = Record<'info' | 'warn', (facts: object, message: string) => void>

/**
 * @param folder   for profiles and temporary files
 * @param ended    called with the process id of each browser that has ended: another process may get it
 * @param started  called with the process id of each browser
 */
export function createBrowsers({
  ended,
  folder,
  log,
  path,
  slots,
  started,
}: {
  ended: (pid: number) => void
  folder: string
  log: BrowserLog
  path: string
  slots: number
  started: (pid: number) => void
}) {
  const mostBytes = Math.min((BROWSER_MIB + PAGE_MIB * slots) * MIB, memoryBytes() / 2)
  const held = new Set<Held>()
  let current: Promise<Held> | null = null
  /** Null until the first launch. */
  let hasSandbox: boolean | null = null
  let watch: NodeJS.Timeout | undefined
  return { take, close, killAll }

  /** A browser for one page; the caller must call `release`. Rejects when none can be started. */
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

  /** Gives a browser no further pages; it closes after its last one. */
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
        ignoreDefaultArgs: NOT_WANTED,
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

  /** Launches without a sandbox, which root and kernels without user namespaces do not support; the log says so. */
  async function withoutSandbox(fault: unknown): Promise<Browser> {
    const browser = await start(false).catch(() => {
      throw fault
    })
    log.warn(
      { path },
      'the browser runs without its sandbox: the system does not allow one for this user (root, or a kernel without user namespaces). Run the product as another user, or allow user namespaces',
    )
    return browser
  }

  function look() {
    for (const one of held) {
      const bytes = one.pid === null ? 0 : groupBytes(one.pid)
      if (bytes > 2 * mostBytes) {
        log.warn({ bytes, mostBytes }, 'a browser used too much memory and was killed')
        if (!one.isSpent) replace(one)
        kill(one)
      } else if (bytes > mostBytes && !one.isSpent) {
        log.info({ bytes, mostBytes, pages: one.pages }, 'a browser uses much memory and is replaced')
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
    if (one.pid !== null) ended(one.pid)
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

  /** Kills all browsers at once, without waiting for anything. */
  function killAll() {
    for (const one of held) kill(one)
  }
}

/** The environment of the browser: contains no keys and no options of ours. */
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

/** Private memory of a process group; 0 where the system does not tell. Source: proc_pid_stat(5), proc_pid_statm(5). */
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
        // the process has ended meanwhile
      }
    }
  } catch {
    return 0
  }
  return bytes
}
