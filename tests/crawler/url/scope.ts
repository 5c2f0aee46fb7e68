import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileGlob } from '#backend/crawler/url/glob.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import type { ScopeRules } from '#backend/crawler/url/scope.ts'
import { processorMs } from '#tests/support/linear.ts'

const scope = suite('which links a crawl follows')

const rules = (changes: Partial<ScopeRules>): ScopeRules => ({
  allowedDomains: [],
  includePaths: [],
  excludePaths: [],
  seedHosts: ['example.com'],
  ...changes,
})

const CASES: [changes: Partial<ScopeRules>, url: string, rule: string | null, why: string][] = [
  [{}, 'https://example.com/a', null, 'the host of the seed'],
  [{}, 'https://www.example.com/a', null, 'a subdomain of the seed'],
  [{}, 'https://a.b.example.com:8443/a', null, 'a deep subdomain on another port'],
  [{ seedHosts: ['www.example.com'] }, 'https://example.com/', null, 'a seed with www. includes the domain'],
  [{ seedHosts: ['docs.example.com'] }, 'https://example.com/', 'domain', 'a seed with another label excludes the domain'],
  [{}, 'https://notexample.com/', 'domain', 'a host that ends with the seed’s host'],
  [{}, 'https://example.com.evil.org/', 'domain', 'a host that starts with the seed’s host'],
  [{ seedHosts: ['a.org', 'b.org'] }, 'https://x.b.org/', null, 'each seed of a batch'],
  [{ seedHosts: ['[::1]'] }, 'http://[::1]:8080/', null, 'an IPv6 address'],
  [{ allowedDomains: ['*'] }, 'https://other.org/', null, 'a star matches any host'],
  [{ allowedDomains: ['*.example.org'] }, 'https://example.com/', 'domain', 'patterns replace the seed’s host'],
  [{ allowedDomains: ['*.example.org'] }, 'https://example.org/', 'domain', 'a pattern must match the whole host'],
  [{ allowedDomains: ['Example.ORG', 'x.org'] }, 'https://example.org/', null, 'host names ignore case'],
  [{ allowedDomains: ['*.münchen.de'] }, 'https://www.xn--mnchen-3ya.de/', null, 'host names match in Unicode and Punycode'],
  [{ allowedDomains: ['shop?.example.org'] }, 'https://shop7.example.org/', null, 'a question mark matches one character'],
  [{ allowedDomains: ['shop[ab].example.org'] }, 'https://shopc.example.org/', 'domain', 'brackets match one character of a set'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.1:18080/a', null, 'C3: a host with its port'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.1:18081/a', 'domain', 'C3: another port'],
  [{ allowedDomains: ['127.0.0.1:18080'] }, 'http://127.0.0.2:18080/a', 'domain', 'C3: another host at the same port'],
  [{ allowedDomains: ['127.0.0.1'] }, 'http://127.0.0.1:18081/a', null, 'C3: a host without a port matches any port'],
  [{ allowedDomains: ['*:18080'] }, 'http://a.example:18080/a', null, 'C3: any host at a port'],
  [{ allowedDomains: ['*:18080'] }, 'http://a.example/a', 'domain', 'C3: any host at a port, another port'],
  [{ allowedDomains: ['example.com:443'] }, 'https://example.com/a', null, 'C3: the default port of https'],
  [{ allowedDomains: ['example.com:443'] }, 'http://example.com/a', 'domain', 'C3: the default port of https on http'],
  [{ allowedDomains: ['example.com:080'] }, 'http://example.com/a', null, 'C3: a port with a leading zero'],
  [{ allowedDomains: ['*.Example.com.:*'] }, 'http://a.example.com:9/', null, 'C3: a star as port'],
  [{ allowedDomains: ['[::1]:8080'] }, 'http://[::1]:8080/', null, 'C3: an IPv6 address with a port'],
  [{ allowedDomains: ['[::1]'] }, 'http://[::1]:8080/', null, 'C3: an IPv6 address without a port'],
  [{ allowedDomains: ['[::1]'] }, 'http://1/', 'domain', 'C3: brackets of an IPv6 address are not a set'],
  [{}, 'https://example.com/a.PDF', 'file_type', 'documents are not followed'],
  [{}, 'https://example.com/a.jpg?x=1', 'file_type', 'images are not followed'],
  [{}, 'https://example.com/a.tar.gz', 'file_type', 'archives are not followed'],
  [{}, 'https://example.com/a.pdf/', null, 'only the last segment has an extension'],
  [{}, 'https://example.com/v1.2', null, 'a number is not a file extension'],
  [{}, 'https://example.com/wiki/Booking.com', null, 'a domain is not a file extension'],
  [{}, 'https://example.com/a.html', null, 'pages are followed'],
  [{}, 'https://example.com/a.php?file=x.pdf', null, 'a file extension in the query is ignored'],
  [{ includePaths: ['/blog/*'] }, 'https://example.com/blog/a/b', null, 'a star matches slashes'],
  [{ includePaths: ['/blog/*'] }, 'https://example.com/blog', 'include_paths', 'a pattern must match the whole path'],
  [{ includePaths: ['/Blog/*'] }, 'https://example.com/blog/a', 'include_paths', 'paths are case-sensitive'],
  [{ includePaths: ['/a', '/b'] }, 'https://example.com/b?x=1', null, 'the query is not part of the path'],
  [{ excludePaths: ['*/private/*'] }, 'https://example.com/a/private/b', 'exclude_paths', 'a match of an excluded path'],
  [{ excludePaths: ['*'], includePaths: ['*'] }, 'https://example.com/', 'exclude_paths', 'excluded wins over included'],
  [{ includePaths: ['/über/*'] }, 'https://example.com/%C3%BCber/x', null, 'patterns may be written unescaped'],
  [{ includePaths: ['/%c3%bcber/*'] }, 'https://example.com/%C3%BCber/x', null, 'escapes of patterns may have small digits'],
  [{ excludePaths: ['/%7Eana/*'] }, 'https://example.com/~ana/x', 'exclude_paths', 'escapes of patterns that URLs need not have'],
  [{ excludePaths: ['/{draft}/*'] }, 'https://example.com/%7Bdraft%7D/x', 'exclude_paths', 'all characters that URLs escape'],
  [{}, 'ftp://example.com/', 'scheme', 'ftp: is not followed'],
]
for (const [changes, url, rule, why] of CASES) {
  scope(`scope: ${rule ?? 'follows'} ${url}: ${why}`, () => {
    const verdict = compileScope(rules(changes))(url)
    assert.is(verdict?.rule ?? null, rule)
  })
}

scope('the refusal names the pattern that decided', () => {
  assert.equal(compileScope(rules({ excludePaths: ['/x', '/secret*'] }))('https://example.com/secret/1'), {
    rule: 'exclude_paths',
    detail: '/secret*',
  })
  assert.equal(compileScope(rules({}))('https://example.com/a.PDF'), { rule: 'file_type', detail: 'pdf' })
  const judge = compileScope(rules({ regexes: { include: ['^/a', '^/secret'], exclude: ['^/x', '^/sec'], onUrl: false } }))
  assert.equal(judge('https://example.com/secret/1'), { rule: 'exclude_paths', detail: '^/sec' })
  assert.equal(judge('https://example.com/b?x'), { rule: 'include_paths', detail: '/b' })
})

scope('rules still work after a transfer to another thread', () => {
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

scope('patterns match exactly as a naive matcher does', () => {
  const pattern = fc.array(fc.constantFrom('*', '?', 'a', 'b', '/', '[ab]', '[/b]', '.'), { maxLength: 10 }).map((parts) => parts.join(''))
  const value = fc.array(fc.constantFrom('a', 'b', '/', '.', 'c'), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, value, (glob, text) => assert.is(compileGlob(glob)(text), reference(glob, text), `${glob} on ${text}`)),
    { numRuns: 10_000 },
  )
})

scope("patterns longer than one word of the matcher's state match too", () => {
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

scope('unpaired brackets are plain characters', () => {
  assert.ok(compileGlob('a[b')('a[b'))
  assert.ok(compileGlob('a[]b')('a[]b'))
  assert.ok(compileGlob('[!ab]')('c'))
  assert.not.ok(compileGlob('[!ab]')('a'))
  assert.ok(compileGlob('[a-c]x')('bx'))
})

const EDGES: [changes: Partial<ScopeRules>, url: string, rule: string | null, why: string][] = [
  [{}, 'ftp://example.com/a', 'scheme', 'ftp: is not followed'],
  [{}, 'http:/x', 'scheme', 'http: without slashes'],
  [{}, 'mailto:a@example.com', 'scheme', 'a mailto: link'],
  [{ below: '/docs/' }, 'https://example.com/docs/a', null, 'a path below the folder'],
  [{ below: '/docs/' }, 'https://example.com/docs', 'below', 'the folder itself without a slash'],
  [{ below: '/docs/' }, 'https://example.com/a/docs/', 'below', 'a folder whose path ends with the name'],
  [{ maxSegments: 2 }, 'https://example.com/a/b/', null, 'as many segments as allowed'],
  [{ maxSegments: 2 }, 'https://example.com/a/b/c', 'path_depth', 'one more is too deep'],
  [{ maxSegments: 0 }, 'https://example.com/', null, 'the root has no segments'],
  [
    { regexes: { include: [], exclude: ['^/a'], onUrl: false } },
    'https://example.com/a',
    'exclude_paths',
    'a regular expression on the path',
  ],
  [
    { regexes: { include: [], exclude: ['^/a'], onUrl: true } },
    'https://example.com/a',
    null,
    'a regular expression on the URL does not start at the path',
  ],
  [
    { regexes: { include: [], exclude: ['^https'], onUrl: true } },
    'https://example.com/a',
    'exclude_paths',
    'a regular expression on the URL may name the scheme',
  ],
  [
    { regexes: { include: ['^/a'], exclude: [], onUrl: false } },
    'https://example.com/b',
    'include_paths',
    'an include expression must match',
  ],
  [
    { regexes: { include: ['^/a', '^/b'], exclude: [], onUrl: false } },
    'https://example.com/b',
    null,
    'one of several include expressions is enough',
  ],
  [
    { regexes: { include: ['^/a'], exclude: [], onUrl: false } },
    'https://example.com/a?x',
    null,
    'an include expression ignores the query',
  ],
  [{}, 'https://example.com/a.appimage', 'file_type', 'a file extension of eight letters'],
  [{}, 'https://example.com/a.atom-archive', 'file_type', 'a file extension of twelve characters'],
  [{}, 'https://example.com/pdf', null, 'a name without a dot has no extension'],
  [{}, 'https://example.com/x.zip/pdf', null, 'a dot in a folder name is not an extension'],
  [{ fileTypes: ['pdf'] }, 'https://example.com/a.pdf', null, 'a file type that the run reads is followed'],
  [{ fileTypes: ['pdf'] }, 'https://example.com/a.zip', 'file_type', 'other file types are not followed'],
  [{ allowedDomains: ['[::1]'] }, 'http://[::1]/', null, 'an IPv6 address without a port'],
  [{ allowedDomains: ['*::1*'] }, 'http://[::1]:90/', null, 'a pattern for an IPv6 address on any port'],
  [{ seedHosts: ['com'] }, 'https://example.com/', null, 'a seed that is a top-level domain'],
  [{}, 'https://a..example.com/', null, 'an empty label in a host'],
  [{ seedHosts: ['c.d'] }, 'https://a.b.c.d/', null, 'a seed two labels above the host'],
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

scope('T15 a URL for which regular expressions take too much work is not followed, and others are judged as before', async () => {
  // Every position of these patterns is possible at each character, and no set of positions comes twice.
  const heavy = Array.from({ length: 100 }, (_, at) => `a[ab]{${1900 - at}}c`)
  const letters = Array.from({ length: 2000 }, (_, at) => ((at * at * 2654435761) % 97 < 48 ? 'a' : 'b')).join('')
  for (const regexes of [
    { include: heavy, exclude: [], onUrl: false },
    { include: [], exclude: heavy, onUrl: false },
  ]) {
    const judge = compileScope(rules({ allowedDomains: ['*'], regexes }))
    const took = await processorMs(() => {
      for (let at = 0; at < 20; at += 1) assert.is.not(judge(`http://a.test/${letters}${at}`), null)
    })
    assert.ok(took < 10_000, `${took} ms`)
  }
  const judge = compileScope(
    rules({
      allowedDomains: ['*'],
      regexes: { include: ['^/blog/', ...heavy.map(() => '/(news|docs)/.*[0-9]{4}$')], exclude: [], onUrl: false },
    }),
  )
  for (let at = 0; at < 1000; at += 1) {
    assert.is(judge(`http://a.test/docs/page-${1000 + at}`), null)
    assert.is(judge(`http://a.test/blog/${at}/${letters.slice(at)}`), null)
    assert.is(judge(`http://a.test/shop/${at}`)?.rule, 'include_paths')
  }
})

scope.run()
