import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { trapOf, urlPattern } from '#backend/crawler/url/traps.ts'

const traps = suite('URLs that never end')

const at = (path: string): string => `https://example.com/${path}`
const many = (n: number, of: (i: number) => string, joint: string): string => Array.from({ length: n }, (_, i) => of(i)).join(joint)

const URLS: [url: string, rule: string | null, why: string][] = [
  [at('a/b/c'), null, 'an ordinary page'],
  [at('a/a/a'), null, 'three equal segments'],
  [at('a/b/a/c/a/d/a'), 'repeat', 'the same segment four times'],
  [at('foo/bar/foo/bar/'), 'repeat', 'a pair twice in a row'],
  [at('2024/01/2024/02'), null, 'a pair of segments that differs'],
  [at('en/docs/en/api'), null, 'a language code twice'],
  [at('a//b//c//d//e'), 'repeat', 'four empty segments'],
  [at('a/b/c/'), null, 'a slash at the end'],
  [at('a/a/a/a'), 'repeat', 'four equal segments'],
  [at('a/b/a/b'), 'repeat', 'a pair twice, without a slash at the end'],
  [at('a/b/a/c/a/'), null, 'a segment three times, and a slash at the end'],
  [at('a//b//c/'), null, 'two empty segments, and a slash at the end'],
  [at('a//b//c//d/'), null, 'three empty segments, and a slash at the end'],
  [at('?a/a/a/a'), null, 'segments in a query'],
  [at(many(20, (i) => `s${i}`, '/')), null, 'twenty segments'],
  [at(many(21, (i) => `s${i}`, '/')), 'length', '21 segments'],
  [at('x'.repeat(2028)), null, '2,048 bytes'],
  [at('x'.repeat(2029)), 'length', '2,049 bytes'],
  [at(`?${many(8, (i) => `f${i}=1`, '&')}`), null, 'eight query parameters'],
  [at(`?${many(9, (i) => `f${i}=1`, '&')}`), 'facets', 'nine query parameters'],
  [at(`?${many(20, () => 'id=1', '&')}`), null, 'one parameter twenty times'],
  [at('?a&b=&&c=1'), null, 'parameters without values'],
  [at(`?${many(8, (i) => `f${i}`, '&&')}&`), null, 'eight parameters and empty ones'],
  [at(`?f0=2&${many(8, (i) => `f${i}=1`, '&')}`), null, 'eight parameters, the first one twice'],
  [at(`?${many(9, (i) => `f${i}`, '&')}`), 'facets', 'nine parameters without values'],
  [at(`?${many(9, (i) => `${i}=1`, '&')}`), 'facets', 'nine parameters with names of one character'],
]
for (const [url, rule, why] of URLS) traps(`${rule ?? 'no trap'}: ${why}`, () => assert.is(trapOf(url), rule))

const PATTERNS: [url: string, pattern: string][] = [
  [at('product/1234'), 'example.com/product/#'],
  [at('product/987654321'), 'example.com/product/#'],
  [at('blog/2024/05/17/hello-world'), 'example.com/blog/#/#/#/hello-world'],
  [at('archive/2024-05-17'), 'example.com/archive/#'],
  [at('page-12.html'), 'example.com/page-#.html'],
  [at('user/550e8400-e29b-41d4-a716-446655440000'), 'example.com/user/#'],
  [at('commit/9f86d081884c7d65'), 'example.com/commit/#'],
  [at('watch/dQw4w9WgXcQ12345x'), 'example.com/watch/#'],
  [at('about'), 'example.com/about'],
  [at('face'), 'example.com/face'],
  [at('a-long-title-of-an-article'), 'example.com/a-long-title-of-an-article'],
  [at('?month=3&day=1'), 'example.com/?day&month'],
  [at('?day=9&month=12'), 'example.com/?day&month'],
  [at('a/?b&&=1&b=2'), 'example.com/a/?&b'],
  [at('a//7/'), 'example.com/a//#/'],
]
for (const [url, pattern] of PATTERNS) traps(`the pattern of ${url.slice(20)} is ${pattern}`, () => assert.is(urlPattern(url), pattern))

traps.run()
