/** What pages ask of crawlers, in their metadata and headers. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { followsNone } from '#backend/crawler/page/robots-directives.ts'

const test = suite('directives for crawlers')

const METADATA: [name: string, content: string, isAsked: boolean][] = [
  ['robots', 'nofollow', true],
  ['Robots', 'NOINDEX, NOFOLLOW', true],
  ['ROBOTS', 'noindex nofollow', true],
  ['robots', 'none', true],
  ['robots', 'noindex', false],
  ['robots', 'index, follow, max-snippet:-1', false],
  ['robots', 'nofollowing', false],
  ['googlebot', 'nofollow', false],
  ['SeineBot', 'nofollow', true],
  ['seinebot', 'none', true],
  ['seinebot', 'noindex', false],
]
for (const [name, content, isAsked] of METADATA)
  test(`<meta name=${name} content="${content}"> ${isAsked ? 'asks' : 'does not ask'} not to follow links`, () =>
    assert.is(followsNone({ title: null, [name]: content }, {}), isAsked))

const HEADERS: [value: string, isAsked: boolean][] = [
  ['nofollow', true],
  ['noindex, NoFollow', true],
  ['none', true],
  ['*: none', true],
  ['unavailable_after: 25 Jun 2027 15:00:00 PST, nofollow', true],
  ['unavailable_after: Fri, 25 Jun 2027 15:00:00 PST', false],
  ['googlebot: nofollow', false],
  ['googlebot: noindex, nofollow', false],
  ['googlebot: noindex\nnofollow', true],
  ['seinebot: nofollow', true],
  ['googlebot: noindex, SeineBot: noindex, nofollow', true],
  ['googlebot: nofollow, seinebot: noindex', false],
  ['otherbot: none, *: noindex', false],
  ['noindex, max-snippet: 50', false],
  ['', false],
]
for (const [robotsTag, isAsked] of HEADERS)
  test(`X-Robots-Tag: ${JSON.stringify(robotsTag)} ${isAsked ? 'asks' : 'does not ask'} not to follow links`, () =>
    assert.is(followsNone({}, { robotsTag }), isAsked))

test.run()
