/** A proxy server for requests, and the handshake with it. */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { parseAddress } from './address-guard.ts'
import { EgressError } from './dial.ts'

export type Proxy = {
  type: 'http' | 'socks4' | 'socks5'
  /** A name, or an IP address without brackets. */
  host: string
  port: number
  username: string | null
  password: string | null
  /** The share that it belongs to: what its answers say of hosts counts for this share only. Null for the installation's. */
  share?: string | null
}

/** The proxy of a run, or none, and the line about it for the run's feed. */
export type RunProxy = { proxy: Proxy | null; notice: { type: 'info' | 'warning'; message: string } | null }

/** A key for a proxy and its credentials that reveals neither. Proxies with different keys never share connections. */
export function proxyKey({ type, host, port, username, password }: Proxy): string {
  return createHash('sha256')
    .update(JSON.stringify([type, host, port, username, password]))
    .digest('base64url')
}

/**
 * The value of `Proxy-Authorization`; null without credentials.
 * Source: RFC 7617 (Basic), in UTF-8.
 */
export function proxyAuthorization({ username, password }: Proxy): string | null {
  if (username === null && password === null) return null
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`
}

/** Statuses with which a proxy refuses a tunnel to this port, though it may take plain requests. */
const NO_TUNNEL = new Set([403, 405, 501])

/** Most bytes of a proxy's answer. */
const MOST_ANSWER_BYTES = 16 * 1024

/**
 * Asks a proxy for a tunnel; afterwards the socket leads to the target. The proxy gets an IP address and never a name, so it cannot resolve
 * the name to an address other than the judged one.
 *
 * @param addresses  judged addresses of the target; the first one that this kind of proxy supports is used
 * @param deadline   instant of `performance.now`
 * @throws EgressError `proxy`; with `wantsPlain` when it takes no tunnels to this port. The socket is destroyed then.
 */
export async function openTunnel(
  socket: Socket,
  proxy: Proxy,
  { addresses, port }: { addresses: string[]; port: number },
  userAgent: string,
  deadline: number,
): Promise<void> {
  const talk = conversation(socket, deadline)
  try {
    if (proxy.type === 'http') await connect(talk, proxy, addresses[0]!, port, userAgent)
    else if (proxy.type === 'socks5') await socks5(talk, proxy, addresses[0]!, port)
    else await socks4(talk, proxy, addresses, port)
    if (talk.hasMore()) throw refusal('it sent more than its answer')
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    talk.end()
  }
}

const refusal = (detail: string, wantsPlain = false) => new EgressError('proxy', `proxy: ${detail}`, { wantsPlain })

// ---- HTTP: RFC 9110, 9.3.6

async function connect(talk: Conversation, proxy: Proxy, address: string, port: number, userAgent: string): Promise<void> {
  const target = `${address.includes(':') ? `[${address}]` : address}:${port}`
  const authorization = proxyAuthorization(proxy)
  const lines = [
    `CONNECT ${target} HTTP/1.1`,
    `Host: ${target}`,
    `User-Agent: ${userAgent}`,
    ...(authorization === null ? [] : [`Proxy-Authorization: ${authorization}`]),
  ]
  talk.say(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`))
  const head = (await talk.until('\r\n\r\n')).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) throw refusal('its answer is not HTTP')
  if (status === 407) throw refusal('it wants other credentials (HTTP 407)')
  if (status < 200 || status > 299) throw refusal(`it answered HTTP ${status}`, NO_TUNNEL.has(status))
}

// ---- SOCKS 5: RFC 1928, and RFC 1929 for name and password

const SOCKS5 = 5
const ANONYMOUS = 0
const PASSWORD = 2
const REPLIES = [
  'it works',
  'it failed',
  'its rules do not allow this address',
  'it cannot reach the network',
  'it cannot reach the host',
  'the host refused the connection',
  'its connection timed out',
  'it does not support the command',
  'it does not support the address type',
]

async function socks5(talk: Conversation, proxy: Proxy, address: string, port: number): Promise<void> {
  const isKnown = proxy.username !== null || proxy.password !== null
  talk.say(Buffer.from(isKnown ? [SOCKS5, 2, ANONYMOUS, PASSWORD] : [SOCKS5, 1, ANONYMOUS]))
  const [version, method] = await talk.bytes(2)
  if (version !== SOCKS5) throw refusal('its answer is not SOCKS 5')
  if (method === PASSWORD && isKnown) {
    talk.say(Buffer.concat([Buffer.from([1]), short(proxy.username ?? ''), short(proxy.password ?? '')]))
    const [, verdict] = await talk.bytes(2)
    if (verdict !== 0) throw refusal('it rejects the credentials')
  } else if (method !== ANONYMOUS) throw refusal(isKnown ? 'it rejects the credentials' : 'it wants credentials')
  const bytes = parseAddress(address)!
  talk.say(Buffer.from([SOCKS5, 1, 0, bytes.length === 4 ? 1 : 4, ...bytes, port >> 8, port & 255]))
  const [answered, reply, , kind] = await talk.bytes(4)
  if (answered !== SOCKS5) throw refusal('its answer is not SOCKS 5')
  if (reply !== 0) throw refusal(REPLIES[reply!] ?? 'it failed')
  const length = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (await talk.bytes(1))[0]! : Number.NaN
  if (Number.isNaN(length)) throw refusal('its answer is not SOCKS 5')
  await talk.bytes(length + 2)
}

/** Text with a length byte in front. */
function short(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw refusal('its credentials are too long for SOCKS 5')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

// ---- SOCKS 4

const SOCKS4 = 4
const GRANTED = 90

async function socks4(talk: Conversation, proxy: Proxy, addresses: string[], port: number): Promise<void> {
  const bytes = addresses.map((address) => parseAddress(address)!).find(({ length }) => length === 4)
  if (bytes === undefined) throw refusal('SOCKS 4 reaches IPv4 addresses only')
  const user = Buffer.from(proxy.username ?? '')
  if (user.includes(0)) throw refusal('its user name contains a NUL character')
  talk.say(Buffer.concat([Buffer.from([SOCKS4, 1, port >> 8, port & 255, ...bytes]), user, Buffer.from([0])]))
  const [version, reply] = await talk.bytes(8)
  if (version !== 0) throw refusal('its answer is not SOCKS 4')
  if (reply !== GRANTED) throw refusal('it refused')
}

// ---- reading and writing

type Conversation = ReturnType<typeof conversation>

/** Writes and reads in turn over a socket; any early end is a failure of the proxy. */
function conversation(socket: Socket, deadline: number) {
  let heard: Buffer = Buffer.alloc(0)
  let fault: EgressError | null = null
  let wake: () => void = () => undefined
  const timer = setTimeout(() => stop('no answer in time'), Math.max(1, deadline - performance.now()))
  const read = () => {
    for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read() as Buffer | null) {
      heard = heard.length === 0 ? piece : Buffer.concat([heard, piece])
    }
    if (heard.length > MOST_ANSWER_BYTES) stop('its answer does not end')
    wake()
  }
  const cut = () => stop('it cut the connection')
  socket.on('readable', read).on('end', cut).on('close', cut).on('error', cut)
  return { bytes, end, hasMore: () => heard.length > 0, say: (bytes: Buffer) => void socket.write(bytes), until }

  function stop(detail: string) {
    fault ??= refusal(detail)
    wake()
  }

  /** Reads so many bytes. */
  async function bytes(length: number): Promise<Buffer> {
    while (heard.length < length) await more()
    return take(length)
  }

  /** Reads up to and including a mark. */
  async function until(mark: string): Promise<Buffer> {
    for (;;) {
      const at = heard.indexOf(mark)
      if (at !== -1) return take(at + mark.length)
      await more()
    }
  }

  function take(length: number): Buffer {
    const taken = heard.subarray(0, length)
    heard = heard.subarray(length)
    return taken
  }

  async function more(): Promise<void> {
    if (fault !== null) throw fault
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    if (fault !== null) throw fault
  }

  function end() {
    clearTimeout(timer)
    socket.off('readable', read).off('end', cut).off('close', cut).off('error', cut)
  }
}
