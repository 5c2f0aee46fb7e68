/**
 * A server of language models, written from the provider's reference of chat completions: it checks the required parts of a request, and answers
 * what the test says.
 */
import { createServer } from 'node:http'
import { serve } from './serve.ts'

export type ModelRequest = {
  path: string
  authorization: string | undefined
  body: {
    model: string
    messages: { role: string; content: string }[]
    temperature?: number
    max_tokens?: number
    max_completion_tokens?: number
    response_format?: { type: string; json_schema?: { name: string; schema: unknown } }
  }
  /** The last message of the user. */
  asked: string
}

export type ModelReply = {
  /** The text of the answer; a value is written as JSON. */
  content?: unknown
  finish?: string
  usage?: unknown
  status?: number
  headers?: Record<string, string>
  /** Replaces an answer of the provider's shape. */
  raw?: string
  until?: Promise<unknown>
}

export type ModelStub = Awaited<ReturnType<typeof startModelStub>>

/** @param reply  returns the reply to each request, by its number from 1 */
export async function startModelStub(reply: (request: ModelRequest, no: number) => ModelReply) {
  const requests: ModelRequest[] = []
  let atOnce = 0
  let most = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => void answer())

    async function answer() {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest['body']
      const isWellFormed =
        incoming.method === 'POST' &&
        incoming.url!.endsWith('/chat/completions') &&
        incoming.headers['content-type'] === 'application/json' &&
        typeof body.model === 'string' &&
        body.messages.every(({ content, role }) => typeof content === 'string' && ['system', 'user', 'assistant'].includes(role))
      const request: ModelRequest = {
        path: incoming.url!,
        authorization: incoming.headers.authorization,
        body,
        asked: body.messages.findLast(({ role }) => role === 'user')?.content ?? '',
      }
      requests.push(request)
      atOnce += 1
      most = Math.max(most, atOnce)
      const said = isWellFormed ? reply(request, requests.length) : { status: 400, raw: '{"error":{"message":"malformed"}}' }
      const { content = '', finish = 'stop', headers = {}, raw, status = 200, until, usage = USAGE } = said
      await until
      atOnce -= 1
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      outgoing.end(
        raw ??
          JSON.stringify({
            id: 'chatcmpl-1',
            object: 'chat.completion',
            created: 1_700_000_000,
            model: body.model,
            choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, logprobs: null, finish_reason: finish }],
            usage,
          }),
      )
    }
  })
  const { close, port, url } = await serve(server)
  return {
    port,
    url: `${url}/v1`,
    requests,
    mostAtOnce: () => most,
    close,
  }
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
