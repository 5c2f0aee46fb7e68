/** Answers one message: describes the server, its tools and its resources. Keeps nothing between two messages. */
import { CODES, LEGACY, McpFault, SERVER_INFO_KEY, VERSIONS, isRecord } from './protocol.ts'
import type { Message } from './protocol.ts'
import { errorResult } from './tool-errors.ts'
import type { Caller, Tool, ToolCall } from './tool.ts'

export type Resource = { uri: string; name: string; title?: string; description?: string; mimeType?: string; size?: number }
export type Contents = { uri: string; mimeType: string } & ({ text: string } | { blob: string })

export type Resources = {
  templates: readonly { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[]
  /** One page of the team's resources; throws `McpFault` for an invalid cursor. */
  list: (caller: Caller, cursor: string | null) => Promise<{ resources: Resource[]; nextCursor?: string }>
  /** Null for a URI that is none of the team's. */
  read: (caller: Caller, uri: string) => Promise<Contents | null>
}

export type McpServer = {
  info: { name: string; title: string; version: string }
  /** What an agent should know before it chooses a tool. */
  instructions: string
  tools: readonly Tool[]
  resources: Resources
  /** Called with unexpected errors of tools. */
  onFault: (tool: string, fault: unknown) => void
}

/** How long a client may cache a list, in milliseconds: tools change with the server's version, a team's pages at any time. */
const TOOLS_TTL_MS = 300_000

/** @throws {McpFault} for protocol errors */
export async function answerRequest(server: McpServer, message: Message, call: ToolCall): Promise<Record<string, unknown>> {
  const result = await resultOf(server, message, call)
  return message.isModern ? { resultType: 'complete', ...result, _meta: { [SERVER_INFO_KEY]: server.info } } : result
}

async function resultOf(server: McpServer, { isModern, method, params }: Message, call: ToolCall): Promise<Record<string, unknown>> {
  const { info, instructions, resources, tools } = server
  const cacheable = (result: Record<string, unknown>, ttlMs: number) => (isModern ? { ...result, ttlMs, cacheScope: 'private' } : result)
  const capabilities = { tools: {}, resources: {} }
  if (isModern && method === 'server/discover') return cacheable({ supportedVersions: VERSIONS, capabilities, instructions }, TOOLS_TTL_MS)
  if (!isModern && method === 'initialize')
    return { protocolVersion: legacyVersion(params['protocolVersion']), capabilities, serverInfo: info, instructions }
  if (!isModern && method === 'ping') return {}
  switch (method) {
    case 'tools/list':
      return cacheable({ tools: tools.map(({ call: _call, ...told }) => told) }, TOOLS_TTL_MS)
    case 'tools/call':
      return callTool(server, params, call)
    case 'resources/list':
      return cacheable(await resources.list(call, textOrNull(params['cursor'])), 0)
    case 'resources/templates/list':
      return cacheable({ resourceTemplates: resources.templates }, TOOLS_TTL_MS)
    case 'resources/read':
      return cacheable({ contents: [await readResource(server, params, call, isModern)] }, 0)
    default:
      throw new McpFault(CODES.methodNotFound, `There is no method ${JSON.stringify(method.slice(0, 100))} here.`, {
        status: isModern ? 404 : 200,
      })
  }
}

/** The requested version if it is supported, else the newest one with a handshake. */
const legacyVersion = (asked: unknown): string => LEGACY.find((version) => version === asked) ?? LEGACY[0]

async function callTool({ onFault, tools }: McpServer, params: Record<string, unknown>, call: ToolCall): Promise<Record<string, unknown>> {
  const tool = tools.find(({ name }) => name === params['name'])
  if (tool === undefined)
    throw new McpFault(CODES.invalidParams, `There is no such tool. Tools: ${tools.map(({ name }) => name).join(', ')}.`)
  const given = params['arguments'] ?? {}
  if (!isRecord(given)) throw new McpFault(CODES.invalidParams, 'arguments must be an object.')
  try {
    return await tool.call(given, call)
  } catch (fault) {
    if (fault instanceof McpFault) throw fault
    onFault(tool.name, fault)
    return errorResult(fault)
  }
}

async function readResource(
  { resources }: McpServer,
  { uri }: Record<string, unknown>,
  call: Caller,
  isModern: boolean,
): Promise<Contents> {
  if (typeof uri !== 'string') throw new McpFault(CODES.invalidParams, 'uri must be a string.')
  const found = await resources.read(call, uri)
  if (found !== null) return found
  throw new McpFault(isModern ? CODES.invalidParams : CODES.resourceNotFound, 'Resource not found', { data: { uri } })
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
