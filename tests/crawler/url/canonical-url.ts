import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalUrl, canonicalUrlWithTracking, hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'

const canonical = suite('one spelling for each URL')

const SPELLINGS: [input: string, base: string | undefined, expected: string | null, why: string][] = [
  ['https://example.com/a/b.html', undefined, 'https://example.com/a/b.html', 'clean URLs stay'],
  ['https://example.com', undefined, 'https://example.com/', 'an empty path is the root'],
  ['HTTPS://EXAMPLE.com/A', undefined, 'https://example.com/A', 'scheme and host ignore case, paths do not'],
  ['http://example.com:80/', undefined, 'http://example.com/', 'the default port of http is dropped'],
  ['https://example.com:443/x', undefined, 'https://example.com/x', 'the default port of https is dropped'],
  ['http://example.com:443/x', undefined, 'http://example.com:443/x', 'another scheme’s default port stays'],
  ['http://example.com:/x', undefined, 'http://example.com/x', 'an empty port is dropped'],
  ['http://example.com./x', undefined, 'http://example.com/x', 'the trailing dot of a host is dropped'],
  ['http://münchen.de/', undefined, 'http://xn--mnchen-3ya.de/', 'hosts are written in Punycode'],
  ['http://XN--MNCHEN-3YA.de/', undefined, 'http://xn--mnchen-3ya.de/', 'Punycode is lower case'],
  ['http://user:secret@example.com/x', undefined, 'http://example.com/x', 'user name and password are dropped'],
  ['http://example.com/x#part', undefined, 'http://example.com/x', 'fragments are dropped'],
  ['http://example.com/x?#part', undefined, 'http://example.com/x', 'an empty query is dropped'],
  ['http://example.com/a/../b/./c', undefined, 'http://example.com/b/c', 'dot segments are resolved'],
  ['http://example.com/a/%2e%2E/b', undefined, 'http://example.com/b', 'escaped dot segments are resolved'],
  ['http://example.com/a/..b/.c', undefined, 'http://example.com/a/..b/.c', 'names that start with dots stay'],
  ['http://example.com/%7euser/%41', undefined, 'http://example.com/~user/A', 'escaped unreserved characters are decoded'],
  ['http://example.com/a%2fb', undefined, 'http://example.com/a%2Fb', 'escapes are upper case, an escaped slash stays'],
  ['http://example.com/100%', undefined, 'http://example.com/100%', 'a lone percent sign stays'],
  ['http://example.com/%%41a', undefined, 'http://example.com/%%41a', 'a percent sign before an escape makes no new escape'],
  ['http://example.com/%4%31', undefined, 'http://example.com/%4%31', 'a broken escape before an escape makes no new escape'],
  ['http://example.com/ä ö', undefined, 'http://example.com/%C3%A4%20%C3%B6', 'spaces and non-ASCII characters are escaped'],
  ['http://example.com/?q=ä', undefined, 'http://example.com/?q=%C3%A4', 'non-ASCII characters in queries are escaped'],
  ['http://example.com/a\\b', undefined, 'http://example.com/a/b', 'backslashes become slashes'],
  ['  http://example.com/x\n', undefined, 'http://example.com/x', 'surrounding white space is dropped'],
  ['http://example.com/a//b/', undefined, 'http://example.com/a//b/', 'empty segments and the trailing slash stay'],
  ['http://127.1/', undefined, 'http://127.0.0.1/', 'short IPv4 addresses are written in full'],
  ['http://0x7f000001/', undefined, 'http://127.0.0.1/', 'hexadecimal IPv4 addresses are written in full'],
  ['http://[0:0:0:0:0:0:0:1]:8080/', undefined, 'http://[::1]:8080/', 'IPv6 addresses are written in short form'],
  ['/x/y', 'http://example.com/a/b?c=d', 'http://example.com/x/y', 'an absolute path'],
  ['y.html', 'http://example.com/a/b?c=d/e', 'http://example.com/a/y.html', 'a relative path'],
  ['../y', 'http://example.com/a/b/c', 'http://example.com/a/y', 'a path with ..'],
  ['?q=1', 'http://example.com/a/b?c=d', 'http://example.com/a/b?q=1', 'a query only'],
  ['', 'http://example.com/a/b', 'http://example.com/a/b', 'an empty reference'],
  ['#top', 'http://example.com/a/b?q=1', 'http://example.com/a/b?q=1', 'a fragment only'],
  ['//other.org/x', 'https://example.com/', 'https://other.org/x', 'another host, same scheme'],
  ['http:x', 'http://example.com/a/', 'http://example.com/a/x', 'a relative path with a scheme'],
  ['x:y', 'http://example.com/a/', null, 'another scheme'],
  ['mailto:a@example.com', 'http://example.com/', null, 'mailto: is not a page'],
  ['javascript:void(0)', 'http://example.com/', null, 'javascript: is not a page'],
  ['data:text/html,x', undefined, null, 'data: is not a page'],
  ['ftp://example.com/', undefined, null, 'ftp: is not a page'],
  ['view-source:http://example.com/', undefined, null, 'view-source: is not a page'],
  ['http://', undefined, null, 'no host'],
  ['http://./', undefined, null, 'a dot as host'],
  ['http://[::1', undefined, null, 'an invalid host'],
  ['/x', undefined, null, 'a relative URL without a base'],
  [`http://example.com/${'a'.repeat(9000)}`, undefined, null, 'a URL of 9,000 characters'],
  ['a'.repeat(9000), 'http://example.com/', null, 'a relative URL of 9,000 characters'],
]
for (const [input, base, expected, why] of SPELLINGS) {
  canonical(`${JSON.stringify(input.slice(0, 60))} has one spelling: ${why}`, () => assert.is(canonicalUrl(input, base), expected))
}

const TRACKING: [input: string, expected: string][] = [
  ['?utm_source=a&utm_medium=b', ''],
  ['?a=1&utm_source=x&b=2', '?a=1&b=2'],
  ['?gclid=1&a=1', '?a=1'],
  ['?a=1&FBCLID=x', '?a=1'],
  ['?PHPSESSID=abc&id=7', '?id=7'],
  ['?id=7&sid=0cc175b9c0f1b6a831c399e269772661', '?id=7'],
  ['?sid=7', '?sid=7'],
  ['?C=N;O=D', ''],
  ['?C=M&O=A', ''],
  ['?C=S', ''],
  ['?C=N;O=D&page=2', '?C=N;O=D&page=2'],
  ['?C=Norway', '?C=Norway'],
  ['?c=n', '?c=n'],
  ['?s=blue+shoes', '?s=blue+shoes'],
  ['?xutm_source=1', '?xutm_source=1'],
  ['?q=utm_source', '?q=utm_source'],
  ['?utm%5Fsource=1&b', '?b'],
  ['?gclid', ''],
  ['?b=2&a=1&b=1', '?b=2&a=1&b=1'],
  [';jsessionid=0A1B2C', ''],
  [';jsessionid=0A1B2C?a=1', '?a=1'],
  [';v=1', ';v=1'],
  ['/(S(lit3py55t21z5v55vlm25s55))/a.aspx', '/a.aspx'],
  ['/(X(1)A(kmd_x-1)S(lit3py55t21z5v55vlm25s55))/a.aspx?b=1', '/a.aspx?b=1'],
  ['/(lit3py55t21z5v55vlm25s55)/a.aspx', '/a.aspx'],
  ['/(S(lit3py55t21z5v55vlm25s55))', '/(S(lit3py55t21z5v55vlm25s55))'],
  ['/(disambiguation)/a', '/(disambiguation)/a'],
  ['/f(x)/a', '/f(x)/a'],
]
for (const [rest, expected] of TRACKING) {
  canonical(`parameters that track the visit are dropped, parameters of the page are kept: x${rest}`, () => {
    assert.is(canonicalUrl(`http://example.com/x${rest}`), `http://example.com/x${expected}`)
  })
}

canonical('a URL that a user submitted keeps all its parameters', () => {
  assert.is(canonicalUrlWithTracking('HTTP://Example.com/x?utm_source=a#b'), 'http://example.com/x?utm_source=a')
  assert.is(canonicalUrlWithTracking('ftp://example.com/'), null)
})

const anyUrl = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom('http://example.com/', 'https://a.b.c:8080/x/', 'http://1.2.3.4', 'http://x_y.org/'),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    .map(([start, rest]) => start + rest),
  fc
    .array(
      fc.constantFrom(
        '/',
        '..',
        '.',
        '%2e',
        '%2E',
        '%41',
        '%zz',
        '%%',
        '%31',
        ';jsessionid=1',
        '/(S(a1))',
        '?',
        '&',
        'utm_a=1',
        'sid=',
        '#',
        'a',
        "'",
        '%',
        '\\',
        ' ',
      ),
      { maxLength: 12 },
    )
    .map((parts) => `https://example.com/${parts.join('')}`),
)

canonical('a canonical URL is its own canonical form', () => {
  fc.assert(
    fc.property(anyUrl, (url) => {
      const once = canonicalUrl(url)
      if (once !== null) assert.is(canonicalUrl(once), once)
    }),
    { numRuns: 3000 },
  )
})

canonical('the fast path without the parser agrees with the parser', () => {
  const base = 'https://example.com/folder/page?x=y'
  const relative = fc
    .array(fc.constantFrom('/', 'a', 'b.c', '..', '.', '?', '=', '&', '%41', '%C3', ':', ';', '//', '%', 'é', '[', '|', '^', "'", '"'), {
      maxLength: 8,
    })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(relative, (url) => {
      const parsed = URL.parse(url, base)
      // a leading tab is dropped by the parser, and makes the short way give up
      assert.is(canonicalUrl(url, base), canonicalUrl(`\t${url}`, base))
      if (canonicalUrl(url, base) === null)
        assert.ok(parsed === null || !parsed.protocol.startsWith('http') || /^\.|\.$/.test(parsed.hostname), url)
    }),
    { numRuns: 5000 },
  )
})

canonical('a page with the last slash and without it is one page', () => {
  const pairs: [string, string][] = [
    ['http://example.com/a/', 'http://example.com/a'],
    ['http://example.com/a', 'http://example.com/a'],
    ['http://example.com/', 'http://example.com/'],
    ['http://example.com/?q', 'http://example.com/?q'],
    ['http://example.com/a/?q=/', 'http://example.com/a?q=/'],
    ['http://example.com/a?q=/', 'http://example.com/a?q=/'],
  ]
  for (const [url, identity] of pairs) assert.is(urlIdentity(url), identity)
})

canonical('a host key always names scheme, host and port', () => {
  const keys: [string, string][] = [
    ['https://example.com/x', 'https://example.com:443'],
    ['http://example.com', 'http://example.com:80'],
    ['http://example.com:8080/x', 'http://example.com:8080'],
    ['http://[::1]:81/x', 'http://[::1]:81'],
    ['http://[::1]/x', 'http://[::1]:80'],
    ['HTTP://Example.COM./', 'http://example.com:80'],
    ['http://user@example.com/', 'http://example.com:80'],
    ['http://example.com?x', 'http://example.com:80'],
  ]
  for (const [url, key] of keys) assert.is(hostKey(url), key)
})

/** Counts calls of the URL parser during `spell`. */
function parses(spell: () => void): number {
  const { parse } = URL
  let calls = 0
  URL.parse = (...given: Parameters<typeof parse>) => {
    calls += 1
    return parse.apply(URL, given)
  }
  try {
    spell()
  } finally {
    URL.parse = parse
  }
  return calls
}

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&()*+,=:@/'
const ESCAPES = [
  '%00',
  '%09',
  '%0A',
  '%0F',
  '%20',
  '%2C',
  '%2F',
  '%3A',
  '%3F',
  '%40',
  '%5B',
  '%60',
  '%7B',
  '%90',
  '%99',
  '%AA',
  '%A0',
  '%FF',
]

canonical('a URL that is already canonical is not parsed', () => {
  const clean = [
    `https://example.com/${PLAIN}`,
    `https://example.com/x?${PLAIN};?.`,
    `http://a-1.b.example/${ESCAPES.join('')}?${ESCAPES.join('')}`,
    'http://localhost/a.b/c.?.',
    'https://example.com/',
    'https://example.com/?a?',
  ]
  for (const url of clean)
    assert.is(
      parses(() => assert.is(canonicalUrl(url), url)),
      0,
      url,
    )
  for (const url of [
    'http://xn--mnchen-3ya.de/',
    'http://example.com/?',
    'http://example.com/;a',
    'http://example.com/a/.b',
    'http://1.2.3/',
  ])
    assert.is(
      parses(() => canonicalUrl(url)),
      1,
      url,
    )
})

canonical('for relative URLs only the URL of their page is parsed, once', () => {
  const base = 'https://example.com:8443/folder/page?x=/y'
  assert.is(
    parses(() => canonicalUrl('first', base)),
    1,
  )
  const relative = ['/', '/x', 'y', 'y.html', 'a/b?c=d', '~me', '/?q', '/%C3%A4'].map((url) => [url, URL.parse(url, base)!.href] as const)
  assert.is(
    parses(() => relative.forEach(([url, whole]) => assert.is(canonicalUrl(url, base), whole))),
    0,
  )
  // These say something else than a path, or begin with what may be a dot segment.
  const others = ['?q', '//x/y', '../y', './y', '%2e/y', 'x:y', 'a:b/c'].map((url) => [url, URL.parse(url, base)!] as const)
  for (const [url, whole] of others) {
    const spelled = parses(() => assert.is(canonicalUrl(url, base), whole.protocol.startsWith('http') ? whole.href : null))
    assert.is(spelled, 1, url)
  }
  assert.is(
    parses(() => assert.is(canonicalUrl('x', 'mailto:a@b.c'), null)),
    2,
  )
  assert.is(
    parses(() => assert.is(canonicalUrl('y', 'mailto:a@b.c'), null)),
    1,
  )
})

canonical('a host that parsing left unchanged is not parsed again', () => {
  assert.is(
    parses(() => canonicalUrl('http://192.0.2.1:8080/a')),
    1,
  )
  assert.is(
    parses(() => assert.is(canonicalUrl('http://192.0.2.1:8080/b/c?d'), 'http://192.0.2.1:8080/b/c?d')),
    0,
  )
  assert.is(
    parses(() => canonicalUrl('http://192.0.2.1:8081/')),
    1,
  )
  assert.is(
    parses(() => canonicalUrl('http://192.0.2.1:8081/x')),
    0,
  )
  // A host that the parser respells proves nothing.
  canonicalUrl('http://192.0.2.257/')
  canonicalUrl('http://EXAMPLE.com:81/')
  assert.is(
    parses(() => assert.is(canonicalUrl('http://EXAMPLE.com:81/x'), 'http://example.com:81/x')),
    1,
  )
})

canonical('unreserved characters are plain, all others escaped (RFC 3986, 2.3)', () => {
  for (let code = 0; code < 128; code += 1) {
    const escape = `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    const character = String.fromCharCode(code)
    const isPlain = /^[A-Za-z0-9._~-]$/.test(character)
    assert.is(canonicalUrl(`http://example.com/x${escape}y`), `http://example.com/x${isPlain ? character : escape}y`)
    assert.is(canonicalUrl(`http://example.com/x${escape.toLowerCase()}y`), `http://example.com/x${isPlain ? character : escape}y`)
  }
  assert.is(canonicalUrl('http://example.com/%4%41%41'), 'http://example.com/%4%41A')
  assert.is(canonicalUrl('http://example.com/%%4%41'), 'http://example.com/%%4%41')
})

canonical('canonical URLs have up to 8192 characters, and inputs of up to twice that are read', () => {
  const long = (start: string, length: number) => start + 'a'.repeat(length - start.length)
  for (const start of ['http://example.com/', 'http://example.com/a/', 'http://192.0.2.9/']) {
    assert.is(canonicalUrl(long(start, 8192)), long(start, 8192))
    assert.is(canonicalUrl(long(start, 8193)), null)
  }
  assert.is(canonicalUrl(`\t${long('http://example.com/', 8192)}`), long('http://example.com/', 8192))
  assert.is(canonicalUrl(`\t${long('http://example.com/', 8193)}`), null)
  assert.is(canonicalUrl(long('http://example.com/#', 16_384)), 'http://example.com/')
  assert.is(canonicalUrl(long('http://example.com/#', 16_385)), null)
})

canonical('unusual URLs: hosts of dots, empty queries, fragments alone, session ids in the path', () => {
  assert.is(canonicalUrl('http://example.com../x'), null)
  assert.is(canonicalUrl('http://.example.com/x'), null)
  assert.is(canonicalUrl('http://.x./'), null)
  assert.is(canonicalUrlWithTracking('http://example.com/x;jsessionid=1?utm_source=a'), 'http://example.com/x;jsessionid=1?utm_source=a')
  assert.is(canonicalUrl('\thttp://example.com/x?'), 'http://example.com/x')
  assert.is(canonicalUrl('\thttp://example.com/x?a'), 'http://example.com/x?a')
  assert.is(canonicalUrl('#', 'http://example.com/a'), 'http://example.com/a')
  assert.is(canonicalUrl('(S(a1))/b', 'http://example.com/a'), 'http://example.com/b')
  assert.is(canonicalUrl(';jsessionid=1', 'http://example.com/a/b'), 'http://example.com/a/')
  assert.is(urlIdentity('http://a/'), 'http://a/')
  assert.is(urlIdentity('http://a/b/?'), 'http://a/b?')
  assert.is(hostKey('https://example.com:8443/a:9/'), 'https://example.com:8443')
})

canonical.run()
