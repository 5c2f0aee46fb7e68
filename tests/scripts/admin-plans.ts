// Plans from the command line, beside a product that is running.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getCurrentSubscription, listPlans, startSubscription } from '#contract/plans.ts'
import { readPlansFile } from '#backend/plans/plans-file.ts'
import { PLANS, startEnterpriseApp, writePlans } from '#tests/support/enterprise.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'

const admin = suite('plans from the command line')

const script = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url))
const SECRET_KEY = 'a secret of tests alone, 4f9c1b7e2a6d8035'

const run = ({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }, ...args: string[]) =>
  runWith({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET_KEY }, ...args)

async function runWith(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [script, 'plans', ...args], { cwd: tmpdir(), env: cleanEnvironment(environment) })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

admin('the command sets, withdraws and lists plans, and the product sees them at once', async () => {
  const { app, close } = await startEnterpriseApp({ plans: [PLANS.free, PLANS.studio] })
  const extra = writePlans([PLANS.fleet])
  assert.equal(await run(app, 'check', extra.path), { code: 0, out: `${extra.path} can be used: Fleet.\n` })
  assert.is((await app.call(listPlans)).body.length, 2, 'checking changes nothing')
  assert.equal(await run(app, 'set', extra.path), { code: 0, out: 'Set Fleet.\n' })
  assert.equal(await run(app, 'withdraw', PLANS.studio.uuid), { code: 0, out: `Withdrew ${PLANS.studio.uuid}.\n` })
  assert.equal(
    (await app.call(listPlans)).body.map(({ name }) => name),
    ['Free', 'Fleet'],
  )
  const { out } = await run(app, 'list', '--json')
  assert.equal(
    (JSON.parse(out) as { name: string; state: string; kept: string }[])
      .map(({ name, state, kept }) => `${name} ${state} ${kept}`)
      .toSorted(),
    ['Fleet offered in the database', 'Free free in PLANS_FILE', 'Studio withdrawn in PLANS_FILE'],
  )
  writeFileSync(extra.path, JSON.stringify([{ ...PLANS.fleet, price: 'much' }]))
  const refused = await run(app, 'set', extra.path)
  assert.is(refused.code, 1)
  assert.match(refused.out, /cannot be used:\n {2}plan 1 \(Fleet\): price must be an amount/)
  extra.remove()
  await close()
})

admin('a file of plans is checked before there is an installation, and its path starts at the folder of the user', async () => {
  const { path, remove } = writePlans([PLANS.fleet])
  const environment = { DATA_DIR: join(dirname(path), 'none'), INIT_CWD: dirname(path) }
  const name = basename(path)
  assert.equal(await runWith(environment, 'check', name), { code: 0, out: `${name} can be used: Fleet.\n` })
  assert.not.ok(existsSync(environment.DATA_DIR))
  const { app, close } = await startEnterpriseApp({ plans: [PLANS.free] })
  const { databaseUrl, dataDir } = app
  const set = await runWith({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET_KEY, INIT_CWD: dirname(path) }, 'set', name)
  assert.equal(set, { code: 0, out: 'Set Fleet.\n' })
  await close()
  remove()
})

admin('the command gives a team a plan and withdraws it, but not a paid plan', async () => {
  const { app, close, stripe } = await startEnterpriseApp()
  const owner = await app.signIn()
  const current = async () => {
    const { status, body } = await app.call(getCurrentSubscription, { as: owner })
    return status === 200 ? body.plan_name : status
  }
  await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
  assert.is((await run(app, 'give', owner.teamId, PLANS.fleet.uuid)).code, 0)
  assert.is(await current(), 'Fleet')
  assert.is((await run(app, 'take', owner.teamId)).code, 0)
  assert.is(await current(), 403)
  assert.match((await run(app, 'take', owner.teamId)).out, /neither the free plan nor one that you gave/)
  for (const args of [
    ['give', 'nobody', PLANS.fleet.uuid],
    ['give', owner.teamId, 'nothing'],
    ['withdraw', 'nothing'],
  ]) {
    const { code, out } = await run(app, ...args)
    assert.is(code, 1, out)
    assert.match(out, /There is no (team|plan)/)
  }
  await app.backend.database.updateTable('team').set({ paymentCustomerId: 'cus_1' }).execute()
  await stripe.subscribe('cus_1', 'price_studio')
  assert.match((await run(app, 'give', owner.teamId, PLANS.fleet.uuid)).out, /pays for a plan/)
  assert.is(await current(), 'Studio')
  await close()
})

admin('the sample file of plans is valid', () => {
  const plans = readPlansFile(fileURLToPath(new URL('../../docs/plans.sample.json', import.meta.url)))
  assert.equal(
    plans.map(({ name, price, isDefault }) => [name, price, isDefault]),
    [
      ['Free', 0, true],
      ['Studio', 4900, false],
      ['Studio', 49_000, false],
    ],
  )
})

admin.run()
