/** Presets: options of crawls that a team has given a name. */
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl } from '#contract/crawls.ts'
import { changePreset, createPreset, deletePreset, listPresets } from '#contract/presets.ts'
import { MAX_PRESETS } from '#contract/sizes.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const presets = suite('presets of crawls')
const SITE = 'http://127.0.0.1:8080/'
const OPTIONS = { spider_options: { max_depth: 3, page_limit: 50 }, page_options: { include_html: true } }

async function withApp(test: (app: App, me: Caller) => Promise<void>): Promise<void> {
  const app = await startApp()
  await test(app, await app.signIn())
}
const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, unknown> }).errors

presets('presets are created, listed by name, changed and deleted; other teams see none of them', () =>
  withApp(async (app, me) => {
    const made = await app.call(createPreset, { as: me, body: { name: 'Manuals', options: OPTIONS } })
    assert.is(made.status, 201)
    assert.is(made.body.options.spider_options['page_limit'], 50)
    await app.call(createPreset, { as: me, body: { name: 'Blogs' } })
    const names = async (as: Caller) => (await app.call(listPresets, { as })).body.map(({ name }) => name)
    assert.equal(await names(me), ['Blogs', 'Manuals'])
    const stranger = await app.secondUser()
    assert.equal(await names(stranger), [])
    const params = { id: made.body.uuid }
    const renamed = await app.call(changePreset, { as: me, params, body: { name: 'All manuals' } })
    assert.equal([renamed.body.name, renamed.body.options], ['All manuals', made.body.options])
    const replaced = await app.call(changePreset, { as: me, params, body: { options: { spider_options: { max_depth: 9 } } } })
    assert.equal([replaced.body.name, replaced.body.options.spider_options['max_depth']], ['All manuals', 9])
    assert.is((await app.call(deletePreset, { as: stranger, params })).status, 404)
    assert.is((await app.call(deletePreset, { as: me, params })).status, 204)
    assert.equal(await names(me), ['Blogs'])
  }),
)

presets('a crawl and a batch use the options of a preset, by its name or uuid, with defaults for the rest', () =>
  withApp(async (app, me) => {
    const { body: preset } = await app.call(createPreset, { as: me, body: { name: 'Manuals', options: OPTIONS } })
    const plain = await app.call(createCrawl, { as: me, body: { url: SITE, options: OPTIONS } })
    for (const named of ['Manuals', preset.uuid, preset.uuid.toUpperCase()]) {
      const crawl = await app.call(createCrawl, { as: me, body: { url: SITE, preset: named } })
      assert.equal([crawl.status, crawl.body.options], [201, plain.body.options])
    }
    const batch = await app.call(createBatchCrawl, { as: me, body: { urls: [SITE, `${SITE}b`], preset: 'Manuals' } })
    assert.equal([batch.status, batch.body.options.spider_options['max_depth']], [201, 0])
    assert.is(batch.body.options.page_options['include_html'], true)
  }),
)

presets(
  'an unknown preset, a preset of another team, and a preset together with options are refused at their field, and nothing is started',
  () =>
    withApp(async (app, me) => {
      const stranger = await app.secondUser()
      const { body: theirs } = await app.call(createPreset, { as: stranger, body: { name: 'Theirs' } })
      const refused = async (body: object) => {
        const reply = await app.request('POST', createCrawl.path, { as: me, body: { url: SITE, ...body } })
        return [reply.status, errorsOf(reply)]
      }
      assert.equal(await refused({ preset: 'Manuals' }), [400, { preset: ['Unknown preset.'] }])
      assert.equal(await refused({ preset: theirs.uuid }), [400, { preset: ['Unknown preset.'] }])
      assert.equal(await refused({ preset: 'x', options: {} }), [400, { preset: ['Send either options or a preset.'] }])
      assert.is((await app.backend.database.selectFrom('run').select('no').execute()).length, 0)
    }),
)

presets('the name of a preset is unique, a preset cannot contain headers, and a team has a limited number of presets', () =>
  withApp(async (app, me) => {
    const make = async (body: object) => app.request('POST', createPreset.path, { as: me, body })
    await make({ name: 'Manuals' })
    assert.equal(errorsOf(await make({ name: 'Manuals' })), { name: ['The team has a preset of this name.'] })
    assert.equal(errorsOf(await make({ name: ' ' })), { name: ['This field may not be blank.'] })
    const headers = { page_options: { extra_headers: { 'X-Token': 'secret' } } }
    assert.equal(errorsOf(await make({ name: 'Keys', options: headers })), {
      options: { page_options: { extra_headers: ['Headers are not kept in presets.'] } },
    })
    for (let number = 1; number < MAX_PRESETS; number++) await make({ name: `Preset ${number}` })
    assert.equal(errorsOf(await make({ name: 'One more' })), { name: [`A team has at most ${MAX_PRESETS} presets.`] })
    assert.is((await app.call(listPresets, { as: me })).body.length, MAX_PRESETS)
  }),
)

presets.run()
