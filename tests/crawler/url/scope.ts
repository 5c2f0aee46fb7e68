import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileGlob } from '#backend/crawler/url/glob.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import type { ScopeRules } from '#backend/crawler/url/scope.ts'

const scope = suite('which links a crawl follows')

const rules = (changes: Partial<ScopeRules>): ScopeRules => ({
  allowedDomains: [],
  includePaths: [],
  excludePaths: [],
  seedHosts: ['example.com'],
  ...changes,
})

const CASES: [changes: Partial<ScopeRules>, url: string, rule: string | null, why: string][] = [
  [{}, 'https://example.com/a', null, 'the seed’s host'],
  [{}, 'https://www.example.com/a', null, 'its subdomains'],
  [{}, 'https://a.b.example.com:8443/a', null, 'of every depth and port'],
  [{ seedHosts: ['www.example.com'] }, 'https://example.com/', null, 'a leading www. does not narrow'],
  [{ seedHosts: ['docs.example.com'] }, 'https://example.com/', 'domain', 'any other label does'],
  [{}, 'https://notexample.com/', 'domain', 'a host that only ends alike'],
  [{}, 'https://example.com.evil.org/', 'domain', 'a host that only begins alike'],
  [{ seedHosts: ['a.org', 'b.org'] }, 'https://x.b.org/', null, 'each seed of a batch'],
  [{ seedHosts: ['[::1]'] }, 'http://[::1]:8080/', null, 'an address'],
  [{ allowedDomains: ['*'] }, 'https://other.org/', null, 'any host'],
  [{ allowedDomains: ['*.example.org'] }, 'https://example.com/', 'domain', 'patterns replace the seed’s host'],
  [{ allowedDomains: ['*.example.org'] }, 'https://example.org/', 'domain', 'the whole value must match'],
  [{ allowedDomains: ['Example.ORG', 'x.org'] }, 'https://example.org/', null, 'host names have no case'],
  [{ allowedDomains: ['*.münchen.de'] }, 'https://www.xn--mnchen-3ya.de/', null, 'nor one script'],
  [{ allowedDomains: ['shop?.example.org'] }, 'https://shop7.example.org/', null, 'one character'],
  [{ allowedDomains: ['shop[ab].example.org'] }, 'https://shopc.example.org/', 'domain', 'one of a set'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.1:18080/a', null, 'C3: a host with its port'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.1:18081/a', 'domain', 'C3: and no other port'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.2:18080/a', 'domain', 'C3: nor another host at the port'],
  [{ allowedDomains: ['127.0.0.1'] }, 'http://127.0.0.1:18081/a', null, 'C3: without a port any port'],
  [{ allowedDomains: ['*:18080'] }, 'http://a.example:18080/a', null, 'C3: any host at a port'],
  [{ allowedDomains: ['*:18080'] }, 'http://a.example/a', 'domain', 'C3: and at that port alone'],
  [{ allowedDomains: ['example.com:443'] }, 'https://example.com/a', null, 'C3: the port that is not written'],
  [{ allowedDomains: ['example.com:443'] }, 'http://example.com/a', 'domain', 'C3: which differs by scheme'],
  [{ allowedDomains: ['example.com:080'] }, 'http://example.com/a', null, 'C3: a port is a number'],
  [{ allowedDomains: ['*.Example.com.:*'] }, 'http://a.example.com:9/', null, 'C3: any port, said aloud'],
  [{ allowedDomains: ['[::1]:8080'] }, 'http://[::1]:8080/', null, 'C3: an IPv6 address with a port'],
  [{ allowedDomains: ['[::1]'] }, 'http://[::1]:8080/', null, 'C3: and without'],
  [{ allowedDomains: ['[::1]'] }, 'http://1/', 'domain', 'C3: whose brackets are no set'],
  [{}, 'https://example.com/a.PDF', 'file_type', 'documents are not followed'],
  [{}, 'https://example.com/a.jpg?x=1', 'file_type', 'nor images'],
  [{}, 'https://example.com/a.tar.gz', 'file_type', 'nor archives'],
  [{}, 'https://example.com/a.pdf/', null, 'only the last segment has an extension'],
  [{}, 'https://example.com/v1.2', null, 'a number is none'],
  [{}, 'https://example.com/a.html', null, 'pages are followed'],
  [{}, 'https://example.com/a.php?file=x.pdf', null, 'whatever their query names'],
  [{ includePaths: ['/blog/*'] }, 'https://example.com/blog/a/b', null, 'a star goes across slashes'],
  [{ includePaths: ['/blog/*'] }, 'https://example.com/blog', 'include_paths', 'the whole path must match'],
  [{ includePaths: ['/Blog/*'] }, 'https://example.com/blog/a', 'include_paths', 'paths have a case'],
  [{ includePaths: ['/a', '/b'] }, 'https://example.com/b?x=1', null, 'the query is not part of it'],
  [{ excludePaths: ['*/private/*'] }, 'https://example.com/a/private/b', 'exclude_paths', 'a match is never followed'],
  [{ excludePaths: ['*'], includePaths: ['*'] }, 'https://example.com/', 'exclude_paths', 'excluded wins over included'],
  [{ includePaths: ['/über/*'] }, 'https://example.com/%C3%BCber/x', null, 'patterns may be written as people read them'],
  [{}, 'ftp://example.com/', 'scheme', 'http and https only'],
]
for (const [changes, url, rule, why] of CASES) {
  scope(`${rule ?? 'follows'} ${url}: ${why}`, () => {
    const verdict = compileScope(rules(changes))(url)
    assert.is(verdict?.rule ?? null, rule)
  })
}

scope('names the pattern that decided', () => {
  assert.equal(compileScope(rules({ excludePaths: ['/x', '/secret*'] }))('https://example.com/secret/1'), {
    rule: 'exclude_paths',
    detail: '/secret*',
  })
  assert.equal(compileScope(rules({}))('https://example.com/a.PDF'), { rule: 'file_type', detail: 'pdf' })
})

scope('rules work after a transfer to another thread', () => {
  assert.is(compileScope(structuredClone(rules({ excludePaths: ['/x'] })))('https://example.com/x')?.rule, 'exclude_paths')
})

/** A naive matcher, for comparison. */
function reference(pattern: string, value: string): boolean {
  if (pattern === '') return value === ''
  if (pattern[0] === '*') return reference(pattern.slice(1), value) || (value !== '' && reference(pattern, value.slice(1)))
  if (value === '') return false
  const set = /^\[([^\]]+)\]/.exec(pattern)
  if (set !== null) return set[1]!.includes(value[0]!) && reference(pattern.slice(set[0].length), value.slice(1))
  return (pattern[0] === '?' || pattern[0] === value[0]) && reference(pattern.slice(1), value.slice(1))
}

scope('patterns match like a naive matcher', () => {
  const pattern = fc.array(fc.constantFrom('*', '?', 'a', 'b', '/', '[ab]', '[/b]', '.'), { maxLength: 10 }).map((parts) => parts.join(''))
  const value = fc.array(fc.constantFrom('a', 'b', '/', '.', 'c'), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, value, (glob, text) => assert.is(compileGlob(glob)(text), reference(glob, text), `${glob} on ${text}`)),
    { numRuns: 10_000 },
  )
})

scope('long patterns span several words of the state', () => {
  const glob = compileGlob(`${'?'.repeat(70)}*${'[ab]'.repeat(40)}x`)
  assert.ok(glob(`${'q'.repeat(100)}${'ab'.repeat(20)}x`))
  assert.not.ok(glob(`${'q'.repeat(100)}${'ab'.repeat(19)}x`))
  assert.not.ok(glob('q'.repeat(69)))
})

scope('patterns made to backtrack take linear time', () => {
  const text = 'a'.repeat(5000)
  for (const pattern of ['(a+)+$', `${'a*'.repeat(500)}b`, `${'*a?'.repeat(300)}b`, `${'[ab]*'.repeat(200)}c`, '*'.repeat(1000)]) {
    const matches = compileGlob(pattern)
    // counted in work, not in time: 5,000 characters times 32 words at most
    assert.type(matches(text), 'boolean')
  }
  assert.not.ok(compileGlob('a'.repeat(1025))('a'.repeat(1025)), 'over 1 KiB nothing matches')
})

scope('odd brackets are plain characters', () => {
  assert.ok(compileGlob('a[b')('a[b'))
  assert.ok(compileGlob('a[]b')('a[]b'))
  assert.ok(compileGlob('[!ab]')('c'))
  assert.not.ok(compileGlob('[!ab]')('a'))
  assert.ok(compileGlob('[a-c]x')('bx'))
})

const EDGES: [changes: Partial<ScopeRules>, url: string, rule: string | null, why: string][] = [
  [{}, 'ftp://example.com/a', 'scheme', 'only http and https are followed'],
  [{}, 'http:/x', 'scheme', 'a scheme without its slashes is none'],
  [{}, 'mailto:a@example.com', 'scheme', 'nor is a mailbox'],
  [{ below: '/docs/' }, 'https://example.com/docs/a', null, 'below a folder'],
  [{ below: '/docs/' }, 'https://example.com/docs', 'below', 'not the name of the folder'],
  [{ below: '/docs/' }, 'https://example.com/a/docs/', 'below', 'nor a folder that ends alike'],
  [{ maxSegments: 2 }, 'https://example.com/a/b/', null, 'as many segments as allowed'],
  [{ maxSegments: 2 }, 'https://example.com/a/b/c', 'path_depth', 'one more is too deep'],
  [{ maxSegments: 0 }, 'https://example.com/', null, 'the root has none'],
  [{ regexes: { include: [], exclude: ['^/a'], onUrl: false } }, 'https://example.com/a', 'exclude_paths', 'an expression over the path'],
  [{ regexes: { include: [], exclude: ['^/a'], onUrl: true } }, 'https://example.com/a', null, 'over the URL it begins elsewhere'],
  [{ regexes: { include: [], exclude: ['^https'], onUrl: true } }, 'https://example.com/a', 'exclude_paths', 'and may name the scheme'],
  [{ regexes: { include: ['^/a'], exclude: [], onUrl: false } }, 'https://example.com/b', 'include_paths', 'one must match'],
  [{ regexes: { include: ['^/a', '^/b'], exclude: [], onUrl: false } }, 'https://example.com/b', null, 'one is enough'],
  [{ regexes: { include: ['^/a'], exclude: [], onUrl: false } }, 'https://example.com/a?x', null, 'a single one as well'],
  [{}, 'https://example.com/a.appimage', 'file_type', 'endings of many letters'],
  [{}, 'https://example.com/a.atom-archive', 'file_type', 'up to thirteen of them'],
  [{}, 'https://example.com/pdf', null, 'a name without a dot has no ending'],
  [{}, 'https://example.com/x.zip/pdf', null, 'nor has one below a folder with a dot'],
  [{ fileTypes: ['pdf'] }, 'https://example.com/a.pdf', null, 'documents that the run reads are followed'],
  [{ fileTypes: ['pdf'] }, 'https://example.com/a.zip', 'file_type', 'and no others'],
  [{ allowedDomains: ['[::1]'] }, 'http://[::1]/', null, 'an IPv6 address without a port'],
  [{ allowedDomains: ['*::1*'] }, 'http://[::1]:90/', null, 'is a host with its brackets'],
  [{ seedHosts: ['com'] }, 'https://example.com/', null, 'every domain above the host is looked at'],
  [{}, 'https://a..example.com/', null, 'empty labels are labels'],
  [{ seedHosts: ['c.d'] }, 'https://a.b.c.d/', null, 'at any depth'],
]
for (const [changes, url, rule, why] of EDGES) {
  scope(`${url}: ${why}`, () => assert.is(compileScope(rules(changes))(url)?.rule ?? null, rule))
}

scope('a refusal names its rule', () => {
  const judge = compileScope(rules({ below: '/docs/' }))
  assert.equal(judge('mailto:a@example.com'), { rule: 'scheme', detail: 'mailto:' })
  assert.equal(judge('https://example.com/a'), { rule: 'below', detail: '/docs/' })
  assert.equal(judge('https://other.org:8443/docs/'), { rule: 'domain', detail: 'other.org:8443' })
})

scope.run()
