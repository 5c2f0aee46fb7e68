/** Proxies of each kind on loopback, with a behaviour that tests choose: work, require credentials, answer with a status, cut, or stay silent. */
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { closedAtEnd } from '#tests/support/suite.ts'

export type ProxyMode =
  | 'works'
  /** Closes the connection after the request. */
  | 'cut'
  /** Opens the tunnel, and closes it at the first byte. */
  | 'cut-later'
  | 'hang'
  /** SOCKS: the target refuses. */
  | 'refuses'
  /** HTTP: refuses CONNECT, accepts requests with absolute URLs. */
  | 'no-tunnels'
  /** HTTP: this status to everything. */
  | number

type Credentials = { username: string; password: string }
export type TestProxy = Awaited<ReturnType<typeof startProxy>>

/** @param only  the accepted credentials; SOCKS 4 has no password */
export async function startProxy(
  type: 'http' | 'socks4' | 'socks5',
  { host = '127.0.0.1', mode = 'works', only = null }: { host?: string; mode?: ProxyMode; only?: Credentials | null } = {},
) {
  const at = { mode, only, connections: 0, targets: [] as string[], plain: [] as string[], heads: [] as string[] }
  const sockets = new Set<Socket>()
  const server = type === 'http' ? httpProxy(at, sockets) : createTcpServer((socket) => void socks(type, socket, at, sockets))
  server.on('connection', (socket: Socket) => {
    at.connections += 1
    keep(sockets, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    type,
    host,
    port,
    /** The proxy in the form that the fetcher expects. */
    proxy: { type, host, port, username: only?.username ?? null, password: type === 'socks4' ? null : (only?.password ?? null) },
    /** Requested tunnels: `address:port`. */
    targets: at.targets,
    /** Requested absolute URLs. */
    plain: at.plain,
    /** The `Proxy-Authorization` of each request, or ''. */
    heads: at.heads,
    get connections() {
      return at.connections
    },
    setMode(next: ProxyMode) {
      at.mode = next
    },
    close: closedAtEnd(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }),
  }
}

type State = {
  mode: ProxyMode
  only: Credentials | null
  connections: number
  targets: string[]
  plain: string[]
  heads: string[]
}

function keep(sockets: Set<Socket>, socket: Socket) {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => sockets.delete(socket))
}

function join(left: Socket, address: string, port: number, at: State, sockets: Set<Socket>, opened: () => void, failed: () => void) {
  if (at.mode === 'cut-later') {
    left.once('data', () => left.destroy())
    return opened()
  }
  const right = connect({ host: address, port })
  keep(sockets, right)
  right.once('error', failed)
  right.once('connect', () => {
    opened()
    left.pipe(right).pipe(left)
    left.once('close', () => right.destroy())
  })
}

// ---- HTTP

function httpProxy(at: State, sockets: Set<Socket>): Server {
  const server = createHttpServer((request, response) => plain(request, response, at))
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    at.targets.push(request.url!)
    at.heads.push(request.headers['proxy-authorization'] ?? '')
    const answer = (status: number) => socket.end(`HTTP/1.1 ${status} Words\r\ncontent-length: 0\r\n\r\n`)
    if (at.mode === 'hang') return
    if (at.mode === 'cut') return void socket.destroy()
    if (typeof at.mode === 'number') return void answer(at.mode)
    if (at.mode === 'no-tunnels') return void answer(405)
    if (!isKnown(request, at)) return void answer(407)
    const { hostname, port } = new URL(`http://${request.url!}`)
    const address = hostname.replace(/^\[|\]$/g, '')
    join(
      socket,
      address,
      Number(port || 80),
      at,
      sockets,
      () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      () => answer(502),
    )
  })
  return server
}

function plain(request: IncomingMessage, response: ServerResponse, at: State) {
  at.plain.push(request.url!)
  at.heads.push(request.headers['proxy-authorization'] ?? '')
  if (at.mode === 'hang') return
  if (at.mode === 'cut') return void request.socket.destroy()
  if (typeof at.mode === 'number') return void response.writeHead(at.mode).end()
  if (!isKnown(request, at)) return void response.writeHead(407).end()
  const { 'proxy-authorization': _dropped, ...headers } = request.headers
  const onward = httpRequest(request.url!, { method: request.method!, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  onward.once('error', () => response.writeHead(502).end())
  request.pipe(onward)
}

function isKnown(request: IncomingMessage, { only }: State): boolean {
  if (only === null) return true
  const wanted = Buffer.from(`${only.username}:${only.password}`).toString('base64')
  return request.headers['proxy-authorization'] === `Basic ${wanted}`
}

// ---- SOCKS

async function socks(type: 'socks4' | 'socks5', socket: Socket, at: State, sockets: Set<Socket>) {
  const bytes = reader(socket)
  try {
    if (type === 'socks4') await socks4(socket, bytes, at, sockets)
    else await socks5(socket, bytes, at, sockets)
  } catch {
    socket.destroy()
  }
}

async function socks4(socket: Socket, bytes: Reader, at: State, sockets: Set<Socket>) {
  const [version, command, high, low, ...address] = await bytes.take(8)
  const user: number[] = []
  for (let [next] = await bytes.take(1); next !== 0; [next] = await bytes.take(1)) user.push(next!)
  if (version !== 4 || command !== 1) return void socket.destroy()
  const port = (high! << 8) | low!
  at.targets.push(`${address.join('.')}:${port}`)
  if (at.mode === 'hang') return
  if (at.mode === 'cut') return void socket.destroy()
  const answer = (code: number) => socket.write(Buffer.from([0, code, 0, 0, 0, 0, 0, 0]))
  if (at.mode === 'refuses') return void answer(91)
  if (at.only !== null && Buffer.from(user).toString() !== at.only.username) return void answer(93)
  bytes.leave()
  join(
    socket,
    address.join('.'),
    port,
    at,
    sockets,
    () => answer(90),
    () => answer(91),
  )
}

async function socks5(socket: Socket, bytes: Reader, at: State, sockets: Set<Socket>) {
  const [, methodCount] = await bytes.take(2)
  const methods = await bytes.take(methodCount!)
  if (at.mode === 'hang') return
  if (at.mode === 'cut') return void socket.destroy()
  const wanted = at.only === null ? 0 : 2
  if (!methods.includes(wanted)) return void socket.end(Buffer.from([5, 255]))
  socket.write(Buffer.from([5, wanted]))
  if (at.only !== null) {
    const [, userLength] = await bytes.take(2)
    const user = (await bytes.take(userLength!)).toString()
    const [passwordLength] = await bytes.take(1)
    const password = (await bytes.take(passwordLength!)).toString()
    const isKnown = user === at.only.username && password === at.only.password
    socket.write(Buffer.from([1, isKnown ? 0 : 1]))
    if (!isKnown) return void socket.end()
  }
  const [, , , kind] = await bytes.take(4)
  const address =
    kind === 1
      ? [...(await bytes.take(4))].join('.')
      : kind === 4
        ? (await bytes.take(16)).toString('hex').match(/.{4}/g)!.join(':')
        : `name ${(await bytes.take((await bytes.take(1))[0]!)).toString()}`
  const [high, low] = await bytes.take(2)
  const port = (high! << 8) | low!
  at.targets.push(`${address}:${port}`)
  const answer = (code: number) => socket.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]))
  if (at.mode === 'refuses') return void answer(5)
  bytes.leave()
  join(
    socket,
    address,
    port,
    at,
    sockets,
    () => answer(0),
    () => answer(5),
  )
}

type Reader = ReturnType<typeof reader>

function reader(socket: Socket) {
  let heard: Buffer = Buffer.alloc(0)
  let wake: () => void = () => undefined
  const hear = (piece: Buffer) => {
    heard = Buffer.concat([heard, piece])
    wake()
  }
  socket.on('data', hear)
  socket.once('close', () => wake())
  return {
    async take(length: number): Promise<Buffer> {
      while (heard.length < length) {
        if (socket.destroyed) throw new Error('gone')
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const taken = heard.subarray(0, length)
      heard = heard.subarray(length)
      return taken
    },
    leave: () => void socket.off('data', hear),
  }
}
