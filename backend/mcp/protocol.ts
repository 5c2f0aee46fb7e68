/**
 * The messages of the Model Context Protocol: revisions, errors, and how a message is read from an HTTP request.
 *
 * Revision 2026-07-28 ("modern") names client and version in each request. Earlier ones ("legacy") begin with `initialize`; as the server
 * keeps nothing between requests, that handshake has no effect, and both are served at the same URL.
 */
import type { IncomingHttpHeaders } from 'node:http'

const MODERN = '2026-07-28'
/** Newest first. Earlier revisions send several messages at once, which is not supported. */
export const LEGACY = ['2025-11-25', '2025-06-18'] as const
export const VERSIONS: readonly string[] = [MODERN, ...LEGACY]
/** The revision of a request without a version, as the specification says; its messages are those of the next revision. */
const WITHOUT_HEADER = '2025-03-26'

const META = 'io.modelcontextprotocol/'
const VERSION_KEY = `${META}protocolVersion`
const CAPABILITIES_KEY = `${META}clientCapabilities`
export const SERVER_INFO_KEY = `${META}serverInfo`
export const SUBSCRIPTION_KEY = `${META}subscriptionId`

export const CODES = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  /** Only for legacy revisions. */
  resourceNotFound: -32002,
} as const

export type Id = string | number

/** A protocol error; `status` is that of the HTTP response. */
export class McpFault extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown

  constructor(code: number, message: string, { data, status = 200 }: { data?: unknown; status?: number } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export type Message = {
  /** Null for a notification. */
  id: Id | null
  method: string
  params: Record<string, unknown>
  isModern: boolean
  /** Requests progress notifications. */
  progressToken: Id | null
}

/** The id for a response to this body; undefined when the body has none. */
export function idOf(body: unknown): Id | undefined {
  const id = isRecord(body) ? body['id'] : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : undefined
}

/**
 * Reads the message of a request.
 *
 * @throws {McpFault} for an invalid message, an unsupported version, and headers that contradict the body
 */
export function readMessage(body: unknown, headers: IncomingHttpHeaders): Message {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') throw invalid('Send one JSON-RPC 2.0 request.')
  const { id = null, method, params = {} } = body
  if (id !== null && idOf(body) === undefined) throw invalid('The id of a request must be a string or an integer.')
  if (body['id'] === null) throw invalid('The id of a request must not be null.')
  if (!isRecord(params)) throw invalid('params must be an object.')
  const meta = isRecord(params['_meta']) ? params['_meta'] : {}
  const sent = headers['mcp-protocol-version']
  const header = Array.isArray(sent) ? sent[0] : sent
  const isModern = header === MODERN || meta[VERSION_KEY] !== undefined
  if (isModern && id !== null) checkModern(method, params, meta, headers, header)
  else if (header !== undefined && header !== WITHOUT_HEADER && !VERSIONS.includes(header)) throw unsupported(header)
  const token = meta['progressToken']
  return {
    id: id as Id | null,
    method,
    params,
    isModern,
    progressToken: typeof token === 'string' || typeof token === 'number' ? token : null,
  }
}

/** Headers repeat values of the body, so that proxies can use them: both must be equal (Streamable HTTP, "Server Validation"). */
function checkModern(
  method: string,
  params: Record<string, unknown>,
  meta: Record<string, unknown>,
  headers: IncomingHttpHeaders,
  header: string | undefined,
): void {
  const version = meta[VERSION_KEY]
  if (typeof version !== 'string') throw new McpFault(CODES.invalidParams, `_meta must have ${VERSION_KEY}.`, { status: 400 })
  if (!isRecord(meta[CAPABILITIES_KEY])) throw new McpFault(CODES.invalidParams, `_meta must have ${CAPABILITIES_KEY}.`, { status: 400 })
  if (header !== version) throw mismatch('MCP-Protocol-Version', header, version)
  if (version !== MODERN) throw unsupported(version)
  if (headers['mcp-method'] !== method) throw mismatch('Mcp-Method', headers['mcp-method'], method)
  const named = NAMED[method]
  if (named === undefined) return
  const name = params[named]
  if (typeof name !== 'string') return
  const sent = headers['mcp-name']
  if (typeof sent !== 'string' || decoded(sent) !== name) throw mismatch('Mcp-Name', sent, name)
}

/** The field of a request that the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** Decodes a value that a header cannot contain: it is sent as Base64 between two markers. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

const invalid = (message: string) => new McpFault(CODES.invalidRequest, message, { status: 400 })

const unsupported = (requested: string) =>
  new McpFault(CODES.unsupportedVersion, 'Unsupported protocol version', { status: 400, data: { supported: VERSIONS, requested } })

const mismatch = (name: string, header: unknown, body: string) =>
  new McpFault(
    CODES.headerMismatch,
    header === undefined
      ? `Header mismatch: ${name} is missing`
      : `Header mismatch: ${name} is ${JSON.stringify(header)}, and the body says ${JSON.stringify(body.slice(0, 200))}`,
    { status: 400 },
  )

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
