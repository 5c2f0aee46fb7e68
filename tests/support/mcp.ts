/** Messages of the Model Context Protocol over HTTP, as a client without a library sends them. */
export type McpReply = {
  status: number
  headers: Headers
  /** Messages of the answer: one, or all of a stream. */
  // oxlint-disable-next-line typescript/no-explicit-any
  messages: any[]
}

let lastId = 0

/** The metadata that revision 2026-07-28 wants with every request. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/**
 * One request of revision 2026-07-28.
 *
 * @param headers  `undefined` removes a header
 */
export async function ask(
  base: string,
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, meta = {}, signal }: { headers?: Record<string, string | undefined>; meta?: object; signal?: AbortSignal } = {},
): Promise<McpReply> {
  const name = params['name'] ?? params['uri']
  const sent = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  }
  const body = { jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta: { ...META, ...meta } } }
  return send(
    `${base}/mcp`,
    body,
    Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    signal,
  )
}

/** Any body, as it is. */
export async function send(url: string, body: unknown, headers: Record<string, string>, signal?: AbortSignal): Promise<McpReply> {
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  })
  const text = await reply.text()
  const isStream = reply.headers.get('content-type') === 'text/event-stream'
  const found = isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data) : text === '' ? [] : [text]
  return { status: reply.status, headers: reply.headers, messages: found.map((one) => JSON.parse(one) as unknown) }
}

/** Calls a tool and returns its result. Throws on an error of the protocol. */
export async function callTool(base: string, key: string, name: string, given: Record<string, unknown> = {}) {
  const { messages } = await ask(base, key, 'tools/call', { name, arguments: given })
  const [message] = messages
  if (message.error !== undefined) throw new Error(`${name}: ${JSON.stringify(message.error)}`)
  // oxlint-disable-next-line typescript/no-explicit-any
  const result = message.result as { isError?: boolean; content: { type: string; text?: string; uri?: string }[]; structuredContent: any }
  return { ...result, text: result.content.map(({ text = '' }) => text).join('\n') }
}
