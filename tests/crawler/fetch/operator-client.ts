import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import type { OperatorAnswer, OperatorRequest } from '#backend/crawler/fetch/operator-client.ts'

const client = suite('calls to servers that the operator configured')

type Ask = (path: string, changes?: Partial<OperatorRequest>) => Promise<OperatorAnswer>

async function withServer(listener: RequestListener, test: (ask: Ask, requests: IncomingMessage[], url: string) => Promise<void>) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { ask, close } = createOperatorClient({ origins: [`${url}/below/this`], userAgent: 'Seine/test' })
  try {
    await test((path, changes) => ask({ url: new URL(path, url).href, timeoutMs: 5000, maxBytes: 1000, ...changes }), requests, url)
  } finally {
    await close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const textOf = (answer: OperatorAnswer) => (answer.kind === 'answer' ? new TextDecoder().decode(answer.body) : answer.reason)

client('a call returns status, type and body, also a compressed one, from an address in the operator’s network', () =>
  withServer(
    (_, response) => response.writeHead(201, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync('packed')),
    async (ask, _requests, url) => {
      const answer = await ask('/a?b=c')
      assert.equal([answer.kind, textOf(answer)], ['answer', 'packed'])
      assert.equal(answer.kind === 'answer' && [answer.status, answer.contentType], [201, 'text/plain'])
      // The operator may also use names of loopback.
      assert.is(textOf(await ask('/', { url: `${url.replace('127.0.0.1', 'localhost')}/` })), 'refused_address', 'but not another origin')
    },
  ),
)

client('a call sends method, headers and body unchanged', () =>
  withServer(
    async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      response.end(`${request.method} ${request.url} ${String(request.headers['x-token'])} ${request.headers['user-agent']} ${body}`)
    },
    async (ask) => {
      const answer = await ask('/x?y=%20', { method: 'POST', headers: { 'x-token': 'abc' }, body: '{"a":1}' })
      assert.is(textOf(answer), 'POST /x?y=%20 abc Seine/test {"a":1}')
    },
  ),
)

client('user and password of a URL authenticate at their server only', () =>
  withServer(
    (request, response) => response.end(request.headers.authorization ?? 'none'),
    async (ask, _requests, url) => {
      const { host } = new URL(url)
      assert.is(textOf(await ask('/')), 'none')
      assert.is(textOf(await ask('/', { url: `http://ana:p%40ss@${host}/` })), `Basic ${Buffer.from('ana:p@ss').toString('base64')}`)
    },
  ),
)

client('T7 T21 a redirect is an answer and is not followed; headers are sent nowhere else', () =>
  withServer(
    (_, response) => response.writeHead(302, { location: '/elsewhere' }).end('moved'),
    async (ask, requests) => {
      const answer = await ask('/', { headers: { 'x-token': 'abc' } })
      assert.equal(answer.kind === 'answer' && answer.status, 302)
      assert.is(requests.length, 1)
    },
  ),
)

client('T7 no other origin gets a request', () =>
  withServer(
    (_, response) => response.end(),
    async (ask, requests, url) => {
      const { port } = new URL(url)
      for (const other of [
        `http://127.0.0.1:${Number(port) - 1}/`,
        `https://127.0.0.1:${port}/`,
        `http://127.0.0.2:${port}/`,
        'file:///etc/passwd',
        'no address',
      ])
        assert.is(textOf(await ask('/', { url: other })), 'refused_address', other)
      assert.is(requests.length, 0)
    },
  ),
)

client('a call limits the size on the wire, the decoded size and the time, and can be stopped', () =>
  withServer(
    (request, response) => {
      if (request.url === '/large') response.end('x'.repeat(2000))
      else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)))
      else if (request.url === '/half') response.write('x')
    },
    async (ask) => {
      assert.is(textOf(await ask('/large')), 'too_large')
      assert.is(textOf(await ask('/bomb')), 'too_large')
      assert.is(textOf(await ask('/silent', { timeoutMs: 150 })), 'timeout')
      assert.is(textOf(await ask('/half', { timeoutMs: 150 })), 'timeout')
      assert.is(textOf(await ask('/silent', { signal: AbortSignal.timeout(50) })), 'canceled')
      assert.is(textOf(await ask('/silent', { signal: AbortSignal.abort() })), 'canceled')
    },
  ),
)

client('an unreachable server is a failure with a reason that does not contain its URL', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  const { ask, close } = createOperatorClient({ origins: [url], userAgent: 'Seine/test' })
  const answer = await ask({ url, timeoutMs: 2000, maxBytes: 10 })
  assert.is(textOf(answer), 'connect')
  assert.not.match(JSON.stringify(answer), /127\.0\.0\.1/)
  await close()
})

client.run()
