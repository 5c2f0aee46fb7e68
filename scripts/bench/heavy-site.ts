/**
 * A site with the most expensive pages: `/links-200000/`, `/links-1000/`, `/slow/`, `/mixed/`, and endless pages of the same kind below
 * each, on all addresses of 127.0.0.0/8. Takes its port as an argument; prints `"ready"`.
 *
 * One in twenty pages of `/mixed/` is slow; the others are short but as large, so that the cost of past pages does not predict the next
 * one.
 *
 * The links of a page lead below it, so that each page names URLs which no other page has.
 */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

const links = (count: number) => Array.from({ length: count }, (_, n) => `<li><a href="${n}/">page ${n}</a></li>`).join('\n')
const pageOf = (name: string, body: string) =>
  gzipSync(`<!doctype html><html lang="en"><head><title>${name}</title></head><body><main><h1>${name}</h1>\n${body}</main></body></html>`, {
    level: 1,
  })

const PAGES: Record<string, Buffer> = {
  'links-200000': pageOf('200,000 links', `<ul>${links(200_000)}</ul>`),
  'links-1000': pageOf('1,000 links', `<ul>${links(1000)}</ul>`),
  // Labels that the rules for the main content check one by one, then formatting elements that are never closed.
  slow: pageOf('slow markup', `<ul>${links(40)}</ul>${'<p>Read more:</p>'.repeat(60_000)}${'<b><i>x'.repeat(60_000)}`),
}

/** Text that does not compress, so that it is as large as the slow page when compressed. */
const noise = Array.from({ length: 500 }, (_, n) => Math.sin(n).toString(36).slice(3)).join(' ')
const SHORT = pageOf('short', `<ul>${links(40)}</ul><p>${noise}</p>`)
let served = 0

const server = createServer((request, response) => {
  const name = request.url!.split('/')[1]!
  const body = name === 'mixed' ? (served++ % 20 === 0 ? PAGES['slow'] : SHORT) : PAGES[name]
  if (body === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(body)
})
server.listen(Number(process.argv[2]), '0.0.0.0', () => console.log('{"ready":true}'))
process.on('SIGTERM', () => process.exit(0))
