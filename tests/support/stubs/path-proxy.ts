/** A reverse proxy that serves one program below a path of its host and answers 404 everywhere else, as nginx does with a `location`. */
import { createServer, request } from 'node:http'
import { serve } from './serve.ts'

export const PREFIX = '/crawl'

/**
 * Listens on a free port.
 *
 * @param keepsPrefix  true forwards `/crawl/api/…`, false `/api/…`
 */
export async function startPathProxy({ keepsPrefix }: { keepsPrefix: boolean }) {
  let target = ''
  /** Requests outside the prefix. */
  const outside: string[] = []
  const server = createServer((asked, answer) => {
    const url = asked.url ?? '/'
    if (url === PREFIX) return void answer.writeHead(301, { location: `${PREFIX}/` }).end()
    if (!url.startsWith(`${PREFIX}/`)) {
      outside.push(url)
      return void answer.writeHead(404).end()
    }
    const passed = request(target + (keepsPrefix ? url : url.slice(PREFIX.length)), { method: asked.method!, headers: asked.headers })
    passed.on('response', (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers)
      reply.on('error', () => answer.destroy()).pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  const { close, url: origin } = await serve(server)
  return {
    origin,
    /** The public URL of the program, without a slash at its end. */
    url: origin + PREFIX,
    outside,
    /** Sets the program behind it, which may need our URL before it has its own. */
    passTo(url: string) {
      target = url
    },
    close,
  }
}

/** A port that was free a moment ago, for a program whose printed URL is that of the proxy. */
export async function freePort(): Promise<number> {
  const { close, port } = await serve(createServer())
  await close()
  return port
}
