/** The Model Context Protocol: one endpoint, to which agents send each message as a request of its own. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OPTIONS_BODY } from './sizes.ts'

/** A JSON-RPC 2.0 message. The protocol handler validates its content, since the protocol has its own error format. */
export const mcpMessage = z.looseObject({})
export const mcpAnswer = z.looseObject({ jsonrpc: z.literal('2.0'), id: z.optional(z.nullable(z.union([z.string(), z.number()]))) })

export const sendMcpMessage = endpoint({
  method: 'POST',
  path: '/mcp',
  access: 'team',
  tag: 'Agents',
  summary: 'Send a message of the Model Context Protocol',
  query: z.object({ apikey: z.optional(z.string()) }),
  keyParameter: 'apikey',
  body: mcpMessage,
  size: OPTIONS_BODY,
  answer: mcpAnswer,
  description:
    'Streamable HTTP as the Model Context Protocol describes it, revision 2026-07-28, and 2025-11-25 and 2025-06-18 for older clients. No state is kept between requests. ' +
    'A notification is answered 202; a tool call that asks for progress (`_meta.progressToken`) is answered as `text/event-stream`. Closing the connection cancels the call. ' +
    'Invalid messages get errors of the protocol with 400 or 404; an `Origin` that is neither that of this server nor allowed by CORS_ORIGINS gets 403.',
})
