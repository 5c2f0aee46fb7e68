import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_ROBOTS_BYTES, judgeRobots, parseRobots, wholeLines } from '#backend/crawler/robots/robots.ts'

const robots = suite('robots rules')

const judge = (text: string, path: string, token = 'SeineBot'): boolean =>
  judgeRobots(parseRobots(text, token), `https://example.com${path}`).allowed
const all = (...lines: string[]): string => ['User-agent: *', ...lines].join('\n')

// Facts of RFC 9309 and of the matching rules that large crawlers publish, one row each.
const CASES: [text: string, path: string, allowed: boolean, why: string][] = [
  ['', '/x', true, 'an empty file'],
  [all('Disallow: /'), '/', false, 'Disallow: / closes the root'],
  [all('Disallow: /'), '/x?y', false, 'Disallow: / closes every path'],
  [all('Disallow:'), '/x', true, 'an empty value is no rule'],
  [all('Disallow: /', 'Allow:'), '/x', false, 'an empty Allow is no rule'],
  [all('Disallow: /fish'), '/fish', false, 'a prefix'],
  [all('Disallow: /fish'), '/fish.html', false, 'a prefix, no segment'],
  [all('Disallow: /fish'), '/fish/salmon.html', false, 'a prefix, below'],
  [all('Disallow: /fish'), '/fishheads/yummy.html', false, 'a prefix, longer word'],
  [all('Disallow: /fish'), '/fish.php?id=anything', false, 'a prefix, with a query'],
  [all('Disallow: /fish'), '/Fish.asp', true, 'paths are case-sensitive'],
  [all('Disallow: /fish'), '/catfish', true, 'a rule matches from the start of the path only'],
  [all('Disallow: /fish'), '/?id=fish', true, 'a rule does not match in the query'],
  [all('Disallow: /fish'), '/desert/fish', true, 'a rule does not match in a subfolder'],
  [all('Disallow: /fish*'), '/fish', false, 'a trailing star changes nothing'],
  [all('Disallow: /fish*'), '/desert/fish', true, 'a trailing star does not let the rule start later'],
  [all('Disallow: /fish/'), '/fish/', false, 'a folder'],
  [all('Disallow: /fish/'), '/fish', true, 'a folder rule does not match the name without a slash'],
  [all('Disallow: /fish/'), '/fish.html', true, 'a folder rule does not match a file of that name'],
  [all('Disallow: /*.php'), '/index.php', false, 'a star in the middle'],
  [all('Disallow: /*.php'), '/folder/any.php.file.html', false, 'a star in the middle, with more after the match'],
  [all('Disallow: /*.php'), '/filename.php?parameters', false, 'a star in the middle, with a query after the match'],
  [all('Disallow: /*.php'), '/', true, 'a star in the middle needs the text after it'],
  [all('Disallow: /*.php'), '/windows.PHP', true, 'a star in the middle is case-sensitive'],
  [all('Disallow: /*.php$'), '/filename.php', false, 'a dollar sign matches the end'],
  [all('Disallow: /*.php$'), '/filename.php?parameters', true, 'a dollar sign, with a query after the match'],
  [all('Disallow: /*.php$'), '/filename.php/', true, 'a dollar sign, with a slash after the match'],
  [all('Disallow: /*.php$'), '/filename.php5', true, 'a dollar sign, with a digit after the match'],
  [all('Disallow: /*.php$'), '/a.php.php', false, 'a dollar sign matches the last occurrence'],
  [all('Disallow: /fish*.php'), '/fishheads/catfish.php?x', false, 'prefix and star'],
  [all('Disallow: /fish*.php'), '/Fish.PHP', true, 'prefix and star, case'],
  [all('Allow: /p', 'Disallow: /'), '/page', true, 'the longest rule wins'],
  [all('Disallow: /', 'Allow: /p'), '/page', true, 'the longest rule wins in any order'],
  [all('Allow: /folder', 'Disallow: /folder'), '/folder/page', true, 'Allow wins over an equal Disallow'],
  [all('Disallow: /folder', 'Allow: /folder'), '/folder/page', true, 'Allow wins over an equal Disallow in any order'],
  [all('Allow: /page', 'Disallow: /*.htm'), '/page.htm', false, 'a star counts toward the length'],
  [all('Allow: /page', 'Disallow: /*.ph'), '/page.php5', true, 'equal length: allowed'],
  [all('Allow: /$', 'Disallow: /'), '/', true, 'a dollar sign counts toward the length'],
  [all('Allow: /$', 'Disallow: /'), '/page.htm', false, 'a dollar sign allows the root only'],
  [all('Disallow: /a', 'Allow: /a/b', 'Disallow: /a/b/c'), '/a/b/c/d', false, 'nested'],
  [all('Disallow: /'), '/robots.txt', true, 'robots.txt itself is always open'],
  [all('Disallow: fish'), '/fish', true, 'a pattern that starts with neither / nor * matches nothing'],
  [all('Disallow: *fish'), '/big/fish', false, 'a pattern may start with a star'],
  [all('Disallow: /a%3cd.html'), '/a%3Cd.html', false, 'escapes ignore case in the rule'],
  [all('Disallow: /a%3Cd.html'), '/a%3cd.html', false, 'escapes ignore case in the URL'],
  [all('Disallow: /%7Ejoe/'), '/~joe/index.html', false, 'an escaped unreserved character in the rule matches itself'],
  [all('Disallow: /~joe/'), '/%7ejoe/', false, 'an escaped unreserved character in the URL matches itself'],
  [all('Disallow: /a%2fb.html'), '/a/b.html', true, 'an escaped slash is no slash'],
  [all('Disallow: /a%2fb.html'), '/a%2Fb.html', false, 'an escaped slash matches an escaped slash'],
  [all('Disallow: /foo/bar/ツ'), '/foo/bar/%E3%83%84', false, 'non-ASCII letters in the rule'],
  [all('Disallow: /foo/bar/%E3%83%84'), '/foo/bar/%e3%83%84', false, 'escaped non-ASCII letters in the rule'],
  [all('Disallow: /foo/%62%61%72'), '/foo/bar', false, 'needless escapes'],
  [all('Disallow: /path/file-with-a-%2A.html'), '/path/file-with-a-*.html', false, 'an escaped star is a star'],
  [all('Disallow: /path/file-with-a-%2A.html'), '/path/file-with-a-x.html', true, 'an escaped star is not a wildcard'],
  [all('Disallow: /path/foo-%24'), '/path/foo-$', false, 'an escaped dollar is a dollar'],
  [all('Disallow: /a$b'), '/a$b', false, 'a dollar in the middle is itself'],
  [all('Disallow: /a b'), '/a%20b', false, 'a space in the rule matches an escaped space'],
  [all('Disallow: /?q='), '/?q=1', false, 'a rule may match the query'],
  ['User-agent: SeineBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b', '/b', true, 'our own group replaces the * group'],
  [
    'User-agent: *\nDisallow: /b\n\nUser-agent: seinebot\nDisallow: /a',
    '/a',
    false,
    'names ignore case, and the order of groups does not matter',
  ],
  ['User-agent: SeineBot\n\nUser-agent: *\nDisallow: /', '/x', false, 'consecutive names share their rules, across blank lines too'],
  ['User-agent: SeineBot\nDisallow:\n\nUser-agent: *\nDisallow: /', '/x', true, 'an empty Disallow in our group closes nothing'],
  ['User-agent: SeineBot/1.2 (+x)\nDisallow: /', '/x', false, 'a version after the name is ignored'],
  ['User-agent: Seine\nDisallow: /', '/x', true, 'a shorter name is another crawler'],
  ['User-agent: SeineBot-Images\nDisallow: /', '/x', true, 'a longer name is another crawler'],
  ['User-agent: a\nUser-agent: SeineBot\nUser-agent: b\nDisallow: /', '/x', false, 'several names share one group'],
  ['User-agent: a\nDisallow: /x\nUser-agent: SeineBot\nDisallow: /y', '/x', true, 'a name after a rule starts a new group'],
  [
    'User-agent: SeineBot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: SeineBot\nDisallow: /b',
    '/b',
    false,
    'groups with the same name are merged: the second',
  ],
  [
    'User-agent: SeineBot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: SeineBot\nDisallow: /b',
    '/a',
    false,
    'groups with the same name are merged: the first',
  ],
  [
    'User-agent: a\nSitemap: https://example.com/s.xml\nUser-agent: SeineBot\nDisallow: /',
    '/x',
    false,
    'other lines do not end a list of names',
  ],
  ['User-agent: *\nCrawl-delay: 5\nDisallow: /x', '/x', false, 'Crawl-delay does not end a group'],
  ['Disallow: /\nUser-agent: *\nDisallow: /x', '/y', true, 'rules before the first name are ignored'],
  ['\uFEFFUser-agent: *\nDisallow: /x', '/x', false, 'a byte order mark'],
  ['\uFEFF\uFEFFUser-agent: *\nDisallow: /x', '/x', false, 'two byte order marks'],
  [
    new TextDecoder().decode(Buffer.from('efbb557365722d6167656e743a202a', 'hex')) + '\nDisallow: /x',
    '/x',
    false,
    'a truncated byte order mark: EF BB',
  ],
  [
    new TextDecoder().decode(Buffer.from('bbbf557365722d6167656e743a202a', 'hex')) + '\nDisallow: /x',
    '/x',
    false,
    'a truncated byte order mark: BB BF',
  ],
  ['User-agent: *\0\nDisallow: /x\0', '/x', false, 'zero bytes at the ends of lines'],
  ['ï»¿User-agent: *\nDisallow: /x', '/x', false, 'a byte order mark decoded as Latin-1'],
  ['User-agent: *\r\nDisallow: /x\r\n', '/x', false, 'CR LF'],
  ['User-agent: *\rDisallow: /x\r', '/x', false, 'CR alone'],
  ['USER-AGENT :  *\ndisALLOW\t: /x # note', '/x', false, 'letter case, white space and comments'],
  ['User-agent: *  # everybody\n# Disallow: /\nDisallow: /x#y', '/xy', false, 'a comment may start anywhere'],
  ['User-agent: *\nDisallow: /x', '/x', false, 'no line break at the end'],
  ['User-agent: * and more\nDisallow: /x', '/x', false, 'words after the star'],
  ['User-agent: *x\nDisallow: /x', '/x', true, 'a star followed by a letter is another name'],
  ['User-agent *\nDisallow /x', '/x', false, 'a missing colon'],
  ['User agent: *\nDissallow: /x', '/x', false, 'common misspellings'],
  ['Useragent: *\nDisalow: /x', '/x', false, 'more common misspellings'],
  ['User-agent: *\nnonsense\n<html>\nfoo: bar\n: \n:::\nDisallow: /x', '/x', false, 'unknown lines are ignored'],
  ['<html>User-agent: *<br>Disallow: /x<br></html>', '/x', true, 'an HTML page is not a robots.txt'],
  ['User-agent: *\nconstructor: /\n__proto__: /\nDisallow: /x', '/y', true, 'fields from Object.prototype'],
  [all(`Disallow: /${'*a'.repeat(200)}$`), `/${'a'.repeat(5000)}b`, true, 'a pattern made to backtrack'],
]
for (const [text, path, allowed, why] of CASES) {
  robots(`robots.txt ${allowed ? 'opens' : 'closes'} ${path.slice(0, 40)}: ${why}`, () => assert.is(judge(text, path), allowed))
}

robots('the verdict names the line that decided', () => {
  const parsed = parseRobots('# for all\nUser-agent: *\n\nDisallow: /private/ # keep out\n', 'SeineBot')
  assert.equal(judgeRobots(parsed, 'https://example.com/private/x'), { allowed: false, line: 4, text: 'Disallow: /private/' })
  assert.equal(judgeRobots(parsed, 'https://example.com/x'), { allowed: true, line: null, text: null })
})

robots('only the rules for our crawler are kept, as plain values', () => {
  const parsed = parseRobots('User-agent: a\nDisallow: /a\nUser-agent: SeineBot\nAllow: /b\nUser-agent: *\nDisallow: /c', 'SeineBot')
  assert.equal(
    parsed.rules.map((rule) => rule.pattern),
    ['/b'],
  )
  const stored = JSON.parse(JSON.stringify(parsed)) as typeof parsed
  assert.equal(stored, parsed)
  assert.is(judgeRobots(stored, 'https://example.com/c').allowed, true)
})

const DELAYS: [text: string, delayMs: number | null][] = [
  ['User-agent: *\nCrawl-delay: 2', 2000],
  ['User-agent: *\nCrawl-delay: 0.5', 500],
  ['User-agent: *\nCrawl-delay: .5', 500],
  ['User-agent: *\nCrawl-delay: 5.', 5000],
  ['User-agent: *\nCrawl-delay: 2s', 2000],
  ['User-agent: *\nCrawl-delay: 1.5 seconds # please', 1500],
  ['User-agent: *\nCrawl-delay: .', null],
  ['User-agent: *\nCrawl-delay: 2 minutes', null],
  ['User-agent: *\ncrawl-delay: 864000', 864_000_000],
  ['User-agent: *\nCrawl-delay: soon', null],
  ['User-agent: *\nCrawl-delay: -5', null],
  ['User-agent: *\nCrawl-delay:', null],
  ['User-agent: *\nCrawl-delay: 9\nUser-agent: SeineBot\nCrawl-delay: 1\nDisallow: /x', 1000],
  ['User-agent: *\nDisallow: /y\nCrawl-delay: 9\nUser-agent: SeineBot\nCrawl-delay: 1\nDisallow: /x', 1000],
  ['Crawl-delay: 3', null],
]
for (const [text, delayMs] of DELAYS) {
  robots(`a crawl delay is read: ${JSON.stringify(text)}`, () => assert.is(parseRobots(text, 'SeineBot').crawlDelayMs, delayMs))
}

robots('sitemaps are read in any group', () => {
  const text =
    'Sitemap: https://example.com/a.xml\nUser-agent: x\nDisallow: /\nsitemap: http://example.com/b.xml\nSitemap: /relative.xml\nSitemap: javascript:1'
  assert.equal(parseRobots(text, 'SeineBot').sitemaps, ['https://example.com/a.xml', 'http://example.com/b.xml'])
})

robots('a file is read up to 512 KiB', () => {
  const filler = `#${'x'.repeat(1023)}\n`
  const before = `User-agent: *\n${filler.repeat(100)}Disallow: /x\n`
  const after = `User-agent: *\n${filler.repeat(MAX_ROBOTS_BYTES / 1024)}Disallow: /x\n`
  assert.is(judge(before, '/x'), false)
  assert.is(judge(after, '/x'), true)
  assert.is(judge(`User-agent: *\nDisallow: /a\n${filler.repeat(MAX_ROBOTS_BYTES / 1024)}`, '/a'), false, 'the first lines of a long file')
  assert.equal(['a\nb\rcd', 'a\rb\ncd', 'ab'].map(wholeLines), ['a\nb\r', 'a\rb\n', ''])
  const cut = `User-agent: *\n#${'x'.repeat(MAX_ROBOTS_BYTES - 27)}\nDisallow: /private\n`
  assert.ok(cut.slice(0, MAX_ROBOTS_BYTES).endsWith('\nDisallow: /'))
  assert.is(judge(cut, '/x'), true)
})

robots('all of twenty thousand rules apply', () => {
  const text = all(...Array.from({ length: 20_000 }, (_, i) => `Disallow: /x${i}/`))
  assert.is(judge(text, '/x19999/'), false)
  assert.is(judge(text, '/y'), true)
})

robots('text after 512 KiB does not count, and a line is cut at 16 KiB', () => {
  const filled = (length: number) => `${'#'.repeat(length - 1)}\n`
  const start = 'User-agent: *\n'
  const rule = 'Disallow: /x'
  assert.not.ok(judge(start + filled(MAX_ROBOTS_BYTES - start.length - rule.length) + rule, '/x'))
  assert.ok(judge(start + filled(MAX_ROBOTS_BYTES - start.length - rule.length + 9) + rule, '/x'))
  assert.is(MAX_ROBOTS_BYTES, 524_288)
  const long = (length: number) => `Disallow: /${'a'.repeat(length - 'Disallow: /'.length)}`
  assert.not.ok(judge(`${start}${long(16_384)}b`, `/${'a'.repeat(16_384 - 'Disallow: /'.length)}`))
  assert.ok(judge(`${start}${long(16_383)}b`, `/${'a'.repeat(16_383 - 'Disallow: /'.length)}c`))
})

robots('at most a thousand sitemaps are listed', () => {
  const { sitemaps } = parseRobots(Array.from({ length: 1001 }, (_, i) => `Sitemap: https://example.com/${i}.xml`).join('\n'), 'SeineBot')
  assert.is(sitemaps.length, 1000)
  assert.is(sitemaps.at(-1), 'https://example.com/999.xml')
})

robots('consecutive user agents share rules; a rule ends their group, a second user agent does not', () => {
  const text = 'User-agent: other\nUser-agent: seinebot\nDisallow: /a\nUser-agent: other\nDisallow: /b'
  assert.not.ok(judge(text, '/a'))
  assert.ok(judge(text, '/b'))
  assert.not.ok(judge('User-agent: seinebot\nUser-agent: other\nDisallow: /a', '/a'))
  assert.not.ok(judge('User-agent: other\nDisallow: /a\nUser-agent: seinebot\nUser-agent: other\nDisallow: /b', '/b'))
  assert.ok(judge('User-agent: seinebot\nDisallow: /a\nUser-agent: other\nUser-agent: third\nDisallow: /b', '/b'))
})

robots('the longest crawl delay applies', () => {
  const delay = (text: string) => parseRobots(text, 'SeineBot').crawlDelayMs
  assert.is(delay(all('Crawl-delay: 5', 'Crawl-delay: 2')), 5000)
  assert.is(delay(all('Crawl-delay: 2', 'Crawl-delay: 5')), 5000)
  assert.is(delay(all('Crawl-delay: 0')), 0)
  assert.is(delay(all('Crawl-delay: x')), null)
})

robots('a URL without a path is the root, and rules do not match its host', () => {
  const rules = parseRobots(all('Disallow: /$'), 'SeineBot')
  assert.not.ok(judgeRobots(rules, 'https://example.com').allowed)
  assert.not.ok(judgeRobots(rules, 'https://example.com/#a').allowed)
  assert.ok(judgeRobots(rules, 'https://example.com/x#').allowed)
  assert.ok(judgeRobots(parseRobots(all('Disallow: /e'), 'SeineBot'), 'https://example.com/x').allowed)
  assert.not.ok(judgeRobots(parseRobots(all('Disallow: /'), 'SeineBot'), 'file:///x').allowed)
})

robots('lines without a colon need exactly two words', () => {
  assert.not.ok(judge('User-agent *\nDisallow /x', '/x'))
  assert.ok(judge('User-agent *\nDisallow /x y', '/x%20y'))
  assert.ok(judge('User-agent *\nDisallow', '/x'))
  assert.ok(judge('User-agent: *\n:Disallow /x', '/x'))
  assert.ok(judge('User-agent: *\n#Disallow: /x', '/x'))
})

robots('the pieces of a pattern match in order and do not overlap', () => {
  assert.not.ok(judge(all('Disallow: /a*b*c'), '/a-b-c'))
  assert.not.ok(judge(all('Disallow: */a*b'), '/a-b'))
  assert.ok(judge(all('Disallow: /a*b*c'), '/a-c-b'))
  assert.ok(judge(all('Disallow: /a*b*b'), '/a-b'))
  assert.not.ok(judge(all('Disallow: /a*b*b'), '/a-b-b'))
  assert.not.ok(judge(all('Disallow: /a*b*c$'), '/abbc'))
  assert.ok(judge(all('Disallow: /a*bc*c$'), '/abc'))
  assert.not.ok(judge(all('Disallow: *b'), '/b'))
  assert.ok(judge(all('Disallow: /a*aa$'), '/aa'))
  assert.not.ok(judge(all('Disallow: /a*bb*b$'), '/abbb'))
  assert.ok(judge(all('Disallow: /a*bb*b$'), '/abb'))
})

robots.run()
