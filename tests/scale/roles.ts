/**
 * `docker-compose.scale.yml` without containers: each service's command with its environment, as often as the file says and once more,
 * over real servers. Names of services stand for what a network of containers would make of them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { imageCommand, imageEnvironment, interpolated, readCompose } from '#tests/support/scale/compose-file.ts'
import { ask, checkRun, crawl, CRAWLS, isFinished, keyOf, rowsOf, startName, startProcess } from '#tests/support/scale/processes.ts'
import type { Started } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { startRedis, startS3 } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'

const PAGES = 30
/** Runs of a crashed worker restart one by one, since any of them may have crashed it. */
const FINISHED_MS = 120_000
const ROLES = ['renderer', 'worker', 'api', 'gateway'] as const
type Role = (typeof ROLES)[number]

const random = () => randomBytes(32).toString('hex')
const SECRETS = {
  POSTGRES_PASSWORD: random(),
  REDIS_PASSWORD: random(),
  S3_SECRET_KEY: random(),
  SECRET_KEY: random(),
  RENDERER_TOKEN: random(),
}
const compose = readCompose('docker-compose.scale.yml')
const [, ...command] = imageCommand()
const folder = mkdtempSync(join(tmpdir(), 'seine-roles-'))
const [database, redis, s3] = await Promise.all([emptyPostgresDatabase(), startRedis(), startS3()])
const place = s3.placeOf('')
const running: Record<Role, Started[]> = { gateway: [], api: [], worker: [], renderer: [] }
const api = await startName(() => running.api)
const renderer = await startName(() => running.renderer)

/** Where the servers of the file are on this machine. */
const SERVERS_HERE: [string, string][] = [
  [`postgres://seine:${SECRETS.POSTGRES_PASSWORD}@postgres:5432/seine`, database.url],
  [`redis://:${SECRETS.REDIS_PASSWORD}@valkey:6379/0`, redis.url],
  ['s3://seine/files?endpoint=http://s3:7070', `s3://${place.bucket}/files?endpoint=${place.endpoint}&region=${place.region}`],
  ['http://api:3000', api.url],
  ['http://renderer:3000', renderer.url],
]

/** Starts one more process of a service. */
async function start(role: Role): Promise<Started> {
  const environment = Object.fromEntries(
    Object.entries(compose.services[role]!.environment!).map(([name, value]) => {
      const text = interpolated(value, SECRETS)
      return [name, SERVERS_HERE.find(([there]) => there === text)?.[1] ?? text]
    }),
  )
  const started = await startProcess(command, {
    ...imageEnvironment(),
    ...environment,
    ...(environment['AWS_ACCESS_KEY_ID'] !== undefined && {
      AWS_ACCESS_KEY_ID: place.accessKeyId,
      AWS_SECRET_ACCESS_KEY: place.secretAccessKey,
    }),
    // What the file leaves to a machine of its own.
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: mkdtempSync(join(folder, `${role}-`)),
    PUBLIC_URL: '',
    EGRESS_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...(role === 'renderer' && { CHROMIUM_PATH: findOrInstallBrowser() }),
  })
  running[role].push(started)
  return started
}

const site = await startSite({}, { hosts: ['127.0.0.1'] })
const roles = suite('the processes of docker-compose.scale.yml')
roles.after(async () => {
  for (const role of ROLES.toReversed()) for (const one of running[role]) await one.close()
  await Promise.all([api.close(), renderer.close(), site.close()])
  await Promise.all([database.drop(), redis.close(), s3.close()])
  rmSync(folder, { recursive: true, force: true })
})

/** Pages that all link to each other; every fifth is rendered by its script. */
function pagesOf(name: string) {
  const links = Array.from({ length: PAGES }, (_, no) => `/${name}/${no}`)
  for (const [no, path] of links.entries())
    site.pages[path] =
      no % 5 === 1
        ? {
            body: `<!doctype html><title>made ${no}</title><div id="root"></div><script>document.title = 'drawn ${no}'; root.innerHTML = '<h1>Made ${no}</h1><p>${'Words that a script has made. '.repeat(12)}</p>'</script>`,
            afterMs: 60,
          }
        : { body: pageOf(`${name} ${no}`, links), afterMs: 60 }
}

roles(
  'when one process of each role is killed in the middle of crawls, the others finish them, each page once, with captured files',
  async () => {
    for (const role of ROLES) {
      const wanted = Math.max(2, compose.services[role]!.deploy?.replicas ?? 1)
      // The first process of each role must be up before that of the next role starts.
      await start(role)
      for (let more = 1; more < wanted; more += 1) await start(role)
    }
    const [one, two] = running.gateway as [Started, Started]
    const key = await keyOf(one.url)
    const settings = (await ask(two.url, 'GET', '/api/v1/common/settings/')).body
    assert.is(settings['is_rendering_configured'], true)
    const crawls = []
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      pagesOf(name)
      crawls.push(await crawl([one, two][at % 2]!.url, key, site.url(`/${name}/0`)))
    }
    const shot = await crawl(one.url, key, site.url('/shot'), {
      spider_options: { page_limit: 1, max_depth: 0 },
      page_options: { actions: [{ type: 'screenshot' }] },
    })
    site.pages['/shot'] = { body: pageOf('a page to be captured') }
    // Which worker owns which run is random.
    const owned = () => rowsOf(database.url, 'SELECT 1 FROM run WHERE owner IS NOT NULL AND ended_at IS NULL')
    await until(async () => site.hits.length > 20 && (await owned()).length > 0)
    for (const role of ROLES) await running[role].shift()!.kill()
    for (const id of [...crawls, shot]) await until(isFinished(two.url, key, id), FINISHED_MS)
    for (const id of crawls) await checkRun(database.url, id, PAGES)
    const made = await rowsOf<{ count: string }>(database.url, `SELECT count(*) FROM page WHERE title LIKE 'drawn %'`)
    assert.is(made[0]!.count, String(crawls.length * Math.ceil((PAGES - 1) / 5)))
    const [page] = (await ask(two.url, 'GET', `${CRAWLS}${shot}/results/?prefetched=true`, { headers: key })).body[
      'results'
    ] as unknown as {
      attachments: { attachment: string }[]
    }[]
    const { pathname, search } = new URL(page!.attachments[0]!.attachment, two.url)
    const file = await fetch(two.url + pathname + search)
    assert.equal([file.status, file.headers.get('content-type')], [200, 'image/png'])
    assert.equal([...new Uint8Array(await file.arrayBuffer()).subarray(1, 4)], [...Buffer.from('PNG')])
  },
)

roles('F24 each role is replaced while a crawl goes on: the new process starts before the old one ends', async () => {
  const gateway = running.gateway[0]!
  const key = await keyOf(gateway.url)
  pagesOf('rolling')
  const id = await crawl(gateway.url, key, site.url('/rolling/0'))
  for (const role of ROLES) {
    await start(role)
    const code = await running[role].shift()!.close()
    assert.is(code, 0, `${role} ended with ${code}`)
  }
  await until(isFinished(running.gateway[0]!.url, key, id), FINISHED_MS)
  await checkRun(database.url, id, PAGES)
})

roles('a worker and a renderer answer health checks only; an api serves no pages', async () => {
  for (const role of ['worker', 'renderer'] as const) {
    if (running[role].length === 0) await start(role)
    const { url } = running[role][0]!
    assert.is((await ask(url, 'GET', '/health/ready')).status, 200, role)
    for (const path of ['/', '/api/v1/common/settings/', CRAWLS]) assert.is((await ask(url, 'GET', path)).status, 404, `${role} ${path}`)
  }
  const { url } = running.api[0]!
  assert.is((await ask(url, 'GET', '/api/v1/common/settings/')).status, 200)
  assert.is((await ask(url, 'GET', '/')).status, 404)
  const stranger = await fetch(`${running.renderer[0]!.url}/render`, { method: 'POST' })
  assert.is(stranger.status, 404)
})

roles.run()
