import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PATHS, SIDEBAR, isBelow, isCurrent, pathTo, pathsBelow, titleCased, trailOf } from '#web/navigation.ts'

const navigation = suite('navigation')

const labels = (path: string, patterns?: string[]) => trailOf(path, patterns).map(({ label }) => label)

navigation('S-DSH-06 the trail starts at Dashboard and names each segment', () => {
  const rows: [path: string, trail: string[]][] = [
    ['/dashboard', ['Dashboard']],
    ['/dashboard/', ['Dashboard']],
    ['/dashboard/crawl', ['Dashboard', 'Crawl']],
    ['/dashboard/search', ['Dashboard', 'Search']],
    ['/dashboard/sitemap', ['Dashboard', 'Sitemap']],
    ['/dashboard/schedules', ['Dashboard', 'Schedules']],
    ['/dashboard/usage', ['Dashboard', 'Usage']],
    ['/dashboard/api-keys', ['Dashboard', 'API Keys']],
    ['/dashboard/settings', ['Dashboard', 'Settings']],
    ['/dashboard/profile', ['Dashboard', 'Profile']],
    ['/dashboard/plans', ['Dashboard', 'Plans']],
    ['/dashboard/api-reference', ['Dashboard', 'Api Reference']],
    ['/dashboard/logs/crawls', ['Dashboard', 'Activity Logs', 'Crawl Logs']],
    ['/dashboard/logs/searches', ['Dashboard', 'Activity Logs', 'Search Logs']],
    ['/dashboard/logs/sitemaps', ['Dashboard', 'Activity Logs', 'Sitemaps']],
    ['/dashboard/logs/crawls/0189-ab', ['Dashboard', 'Activity Logs', 'Crawl Logs', 'Crawl Details']],
    ['/dashboard/logs/searches/0189-ab', ['Dashboard', 'Activity Logs', 'Search Logs', 'Search Details']],
  ]
  for (const [path, trail] of rows) assert.equal(labels(path), trail, path)
  assert.equal(labels('/dashboard/crawl/17', ['/dashboard/crawl/:crawlRequestId']), ['Dashboard', 'Crawl', 'Select URLs'])
})

navigation('S-DSH-06 each step has label, href and current, and only the last step is current', () => {
  assert.equal(trailOf('/dashboard/logs/crawls/17'), [
    { label: 'Dashboard', href: '/dashboard', current: false },
    { label: 'Activity Logs', href: '/dashboard/logs/crawls', current: false },
    { label: 'Crawl Logs', href: '/dashboard/logs/crawls', current: false },
    { label: 'Crawl Details', href: '/dashboard/logs/crawls/17', current: true },
  ])
})

navigation('S-DSH-06 other segments are title-cased with dashes as spaces', () => {
  assert.is(titleCased('api-reference'), 'Api Reference')
  assert.is(titleCased('one'), 'One')
  assert.is(titleCased('über-uns'), 'Über Uns')
  assert.equal(labels('/dashboard/%E0%A4%A'), ['Dashboard', '%E0%A4%A'], 'what cannot be decoded stands as it is')
})

navigation('S-DSH-02 the sidebar has every entry in order', () => {
  const entries = SIDEBAR.flatMap((group) => group.entries)
  assert.equal(
    entries.map(({ label }) => label),
    ['Dashboard', 'Crawl', 'Search', 'Sitemap', 'Activity Logs', 'Usage', 'API Keys', 'Settings', 'Profile', 'API Reference'],
  )
  const logs = entries.find((entry) => 'entries' in entry)
  assert.equal(logs && 'entries' in logs && logs.entries.map(({ label }) => label), ['Crawls', 'Searches', 'Sitemaps'])
})

navigation('an entry is current at its path and below it, and the dashboard only at its own path', () => {
  assert.ok(isCurrent('dashboard', '/dashboard'))
  assert.not(isCurrent('dashboard', '/dashboard/crawl'))
  assert.ok(isCurrent('crawlLogs', '/dashboard/logs/crawls/17'))
  assert.not(isCurrent('crawl', '/dashboard/crawls'))
})

navigation('a path is filled with its parameters, escaped', () => {
  assert.is(pathTo('crawlDetails', { requestId: 'a/b' }), '/dashboard/logs/crawls/a%2Fb')
  assert.is(pathTo('crawl'), PATHS.crawl)
})

navigation('O12: with a base path every link begins with it, and the trail leaves it out', () => {
  const paths = pathsBelow('/crawl')
  assert.equal(
    [paths.login, paths.dashboard, paths.crawlDetails],
    ['/crawl/', '/crawl/dashboard', '/crawl/dashboard/logs/crawls/:requestId'],
  )
  assert.equal(
    trailOf('/crawl/dashboard/logs/crawls/7', undefined, '/crawl').map(({ label, href }) => [label, href]),
    [
      ['Dashboard', '/crawl/dashboard'],
      ['Activity Logs', '/crawl/dashboard/logs/crawls'],
      ['Crawl Logs', '/crawl/dashboard/logs/crawls'],
      ['Crawl Details', '/crawl/dashboard/logs/crawls/7'],
    ],
  )
  assert.equal(
    ['/crawl', '/crawl/', '/crawl/x', '/crawler', '/'].map((path) => isBelow('/crawl', path)),
    [true, true, true, false, false],
  )
  assert.ok(isBelow('', '/') && isBelow('', '/crawl'))
})

navigation.run()
