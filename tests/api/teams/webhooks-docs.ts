/** Runs the examples of docs/webhooks.md unchanged. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { createCrawl, stopCrawl } from '#contract/crawls.ts'
import { startApp } from '#tests/support/app.ts'
import { signatureOf, startReceiver } from '#tests/support/stubs/receiver.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const docs = suite('the page about webhooks')

const text = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const blocks = (language: string) => [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!)
const run = promisify(execFile)

docs(
  'the commands of the page work: curl creates an endpoint and replays an event, and the function accepts only the right signature',
  async () => {
    const receiver = await startReceiver()
    const app = await startApp()
    try {
      const base = await app.listen()
      const owner = await app.signIn()
      const shell = async (command: string, variables: Record<string, string> = {}) => {
        const asked = command.replace('https://seine.example.org', base).replace('https://example.com/hooks/seine', receiver.url())
        const { stdout } = await run('sh', ['-c', asked], { env: { ...process.env, TOKEN: owner.access, ...variables } })
        return JSON.parse(stdout) as { uuid: string; secret: string; events: string[]; replayed: number }
      }
      const [make = '', replay = ''] = blocks('sh')
      const { events, secret, uuid } = await shell(make)
      assert.equal(events, ['run.started', 'run.pages', 'run.ended'])
      const { body } = await app.call(createCrawl, { as: owner, body: { url: 'http://127.0.0.1:8080/' } })
      await app.call(stopCrawl, { as: owner, params: { id: (body as { uuid: string }).uuid } })
      await until(() => receiver.received.length > 0)
      const [received] = receiver.received
      const [code = ''] = blocks('js')
      const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
        isGenuine: (headers: object, body: Buffer, secret: string) => boolean
      }
      const { headers, raw } = received!
      assert.is(isGenuine(headers, raw, secret), true)
      assert.is(
        isGenuine({ ...headers, 'webhook-signature': `v1,AAAA ${signatureOf(received!, secret)}` }, raw, secret),
        true,
        'while it rotates',
      )
      assert.is(isGenuine(headers, Buffer.concat([raw, Buffer.from(' ')]), secret), false)
      for (const missing of ['webhook-signature', 'webhook-timestamp', 'webhook-id'])
        assert.is(isGenuine({ ...headers, [missing]: undefined }, raw, secret), false, `without ${missing}`)
      assert.is(isGenuine(headers, raw, `whsec_${Buffer.alloc(32).toString('base64')}`), false)
      assert.is((await shell(replay, { ID: uuid })).replayed, 0, 'nothing has failed')
    } finally {
    }
  },
)

docs.run()
