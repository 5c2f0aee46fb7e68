import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import type { PluginSchema, ValueSchema } from '#contract/plugins.ts'
import { PLUGINS } from '#backend/crawler/plugins/installed.ts'
import { pluginsSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import { errorsIn, errorsOf, firstTabWithError } from '#web/runs/crawl/crawl-errors.ts'
import { DEFAULT_FORM, formOf, withoutChanges } from '#web/runs/crawl/crawl-form.ts'
import { differences, requestBody } from '#web/runs/crawl/crawl-request.ts'
import {
  choicesOf,
  formsIn,
  pathOfField,
  pluginErrors,
  pluginFaults,
  pluginField,
  rangeText,
  sentPlugins,
  titleOf,
  widgetOf,
} from '#web/runs/crawl/plugin-form.ts'

const ACTIVE: ValueSchema = { type: 'boolean', title: 'Is Active', default: false }
const formsOf = (properties: Record<string, ValueSchema>, more: Partial<PluginSchema> = {}) => ({
  p: { type: 'object' as const, title: 'P', properties: { is_active: ACTIVE, ...properties }, required: ['is_active'], ...more },
})

const widget = suite('the control of a value')
for (const [schema, expected] of [
  [{ type: 'string' }, 'text'],
  [{ type: 'string', format: 'password' }, 'password'],
  [{ type: 'string', format: 'email' }, 'email'],
  [{ type: 'string', format: 'uri' }, 'url'],
  [{ type: 'string', format: 'date' }, 'date'],
  [{ type: 'string', format: 'something-else' }, 'text'],
  [{ type: 'string', ui: { widget: 'textarea' } }, 'textarea'],
  [{ type: 'string', ui: { widget: 'password' } }, 'password'],
  [{ type: 'string', enum: ['a'] }, 'select'],
  [{ type: 'string', ui: { widget: 'select', options: [{ label: 'A', value: 'a' }] } }, 'select'],
  [{ type: 'string', ui: { widget: 'select' } }, 'text'],
  [{ type: 'integer', enum: [1, 2], ui: { widget: 'radio' } }, 'radio'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'number', ui: { widget: 'textarea' } }, 'number'],
  [{ type: 'boolean' }, 'switch'],
  [{ type: 'boolean', ui: { widget: 'checkbox' } }, 'checkbox'],
  [{ type: 'boolean', ui: { widget: 'textarea' } }, 'switch'],
  [{ type: 'object', properties: {} }, 'group'],
  [{ type: 'object', properties: {}, ui: { widget: 'json-editor' } }, 'json'],
  [{ type: 'object' }, 'json'],
  [{ type: 'array', items: { type: 'string' } }, 'list'],
  [{ type: 'array' }, 'json'],
  [{}, 'json'],
  [{ type: ['string', 'null'] }, 'json'],
] as [ValueSchema, string][])
  widget(`${JSON.stringify(schema)} is shown as ${expected}`, () => assert.is(widgetOf(schema), expected))
widget('the choices are the options, then further values of the enumeration', () => {
  const schema: ValueSchema = { type: 'string', enum: ['s', 'm', 'l'], ui: { options: [{ label: 'Small', value: 's', disabled: true }] } }
  assert.equal(choicesOf(schema), [
    { label: 'Small', value: 's', disabled: true },
    { label: 'm', value: 'm' },
    { label: 'l', value: 'l' },
  ])
  assert.equal(choicesOf({ type: 'string' }), [])
})
widget('a control without a title shows its name; a range is shown as text', () => {
  assert.is(titleOf({ type: 'string' }, 'llm_model-name'), 'Llm model name')
  assert.is(titleOf({ type: 'string', title: 'LLM' }, 'x'), 'LLM')
  assert.equal(
    [{ minimum: 0, maximum: 2 }, { minimum: 1 }, { maximum: 9 }, {}].map((range) => rangeText({ type: 'number', ...range })),
    ['0 to 2', '1 or more', '9 or less', undefined],
  )
})
widget('an invalid schema gives no form', () => {
  const form = formsOf({}).p
  assert.equal(formsIn({ properties: { form, a: null, b: {}, c: 7, d: { properties: [] } } }), { form })
  for (const answer of [{}, { properties: null }, { properties: [form] }, { properties: 'none' }]) assert.equal(formsIn(answer), {})
})
widget('names of controls and their paths convert both ways', () => {
  for (const path of [
    ['a', 'b', '0'],
    ['a/b', 'c.d', '~1'],
    ['', ''],
  ])
    assert.equal(pathOfField(pluginField(path)), path)
})

const sending = suite('what is sent for plugins')
const sent = (properties: Record<string, ValueSchema>, values: Record<string, unknown>, more: Partial<PluginSchema> = {}) => {
  const { is_active, ...rest } = sentPlugins(formsOf(properties, more), { p: { is_active: true, ...values } })['p'] as Record<
    string,
    unknown
  >
  assert.is(is_active, true)
  return rest
}
sending('only active plugins are sent, and options of plugins without a form are sent unchanged', () => {
  const forms = formsOf({ a: { type: 'string', default: 'x' } })
  assert.equal(sentPlugins(forms, {}), {})
  assert.equal(sentPlugins(forms, { p: { a: 'y' }, q: 7, r: null }), {})
  assert.equal(sentPlugins(forms, { p: { is_active: false, a: 'y' } }), {})
  assert.equal(sentPlugins(forms, { p: { is_active: true }, other: { is_active: true, z: 1 } }), {
    p: { is_active: true, a: 'x' },
    other: { is_active: true, z: 1 },
  })
})
const AUTH: ValueSchema = { type: 'object', properties: { user: { type: 'string' }, tls: { type: 'boolean' } }, required: ['user'] }
for (const [properties, values, expected, why] of [
  [{ a: { type: 'string', default: 'x' }, b: { type: 'integer', default: 3 } }, {}, { a: 'x', b: 3 }, 'defaults are sent'],
  [{ a: { type: 'string', default: 'x' }, b: { type: 'integer' } }, { a: '', b: null }, {}, 'emptied fields are left out'],
  [{ a: { type: 'boolean' } }, {}, { a: false }, 'a switch that is off is sent as false'],
  [{ a: { type: 'object' } }, { a: '{"b": [1]}' }, { a: { b: [1] } }, 'JSON text is sent as its value'],
  [{ a: { type: 'object', default: { b: 1 } } }, {}, { a: { b: 1 } }, 'a default object is sent'],
  [{ a: { type: 'array' } }, { a: ' ' }, {}, 'blank JSON is left out'],
  [{ a: { type: 'object' } }, { a: '{' }, { a: '{' }, 'invalid JSON is sent as text, so that the check refuses it'],
  [{ a: { type: 'string', ui: { widget: 'json-editor' } } }, { a: '{"b":1}' }, { a: '{"b":1}' }, 'JSON in a text option is sent as text'],
  [{ auth: AUTH }, {}, {}, 'an unopened group is left out'],
  [{ auth: AUTH }, { auth: { tls: true } }, { auth: { tls: true } }, 'a group with a value is sent'],
  [{ auth: AUTH }, { auth: { user: '', tls: false } }, {}, 'an emptied group is left out'],
  [{ a: { type: 'array', items: { type: 'string' } } }, {}, {}, 'a list without items is left out'],
  [{ a: { type: 'array', items: { type: 'string' } } }, { a: ['x', undefined] }, { a: ['x', null] }, 'an unfilled item is sent as null'],
  [{ a: { type: 'array', items: AUTH } }, { a: [undefined] }, { a: [{ tls: false }] }, 'a new object item is sent with its defaults'],
  [{ a: { type: 'string' } }, { a: 'x', unknown: 1 }, { a: 'x', unknown: 1 }, 'unknown options are sent'],
] as [Record<string, ValueSchema>, Record<string, unknown>, unknown, string][])
  sending(why, () => assert.equal(sent(properties, values), expected))
sending('a required group exists in the values, so that its own fields are validated', () => {
  assert.equal(sent({ auth: AUTH }, {}, { dependentRequired: { is_active: ['auth'] } }), { auth: { tls: false } })
})

const faults = suite('errors of plugin options')
const found = (properties: Record<string, ValueSchema>, values: Record<string, unknown>, all = true, more: Partial<PluginSchema> = {}) => {
  const forms = formsOf(properties, more)
  return pluginErrors(forms, pluginFaults(forms, { p: { is_active: true, ...values } }, { all }))
}
for (const [schema, value, at, message] of [
  [{ type: 'string', minLength: 3 }, 'ab', 'p/a', 'at least 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'p/a', 'no more than 1 characters'],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'A', 'p/a', 'Enter a valid value.'],
  [{ type: 'string', format: 'email' }, 'nobody', 'p/a', 'valid email'],
  [{ type: 'string', format: 'uri' }, 'nowhere', 'p/a', 'valid URL'],
  [{ type: 'string', format: 'date' }, '2026-02-30', 'p/a', 'valid date'],
  [{ type: 'string', enum: ['b'] }, 'c', 'p/a', 'not a valid choice'],
  [{ type: 'integer' }, 1.5, 'p/a', 'valid integer'],
  [{ type: 'integer' }, Number.NaN, 'p/a', 'valid integer'],
  [{ type: 'number', maximum: 2 }, 2.5, 'p/a', 'less than or equal to 2'],
  [{ type: 'number', minimum: 0 }, -0.5, 'p/a', 'greater than or equal to 0'],
  [{ type: 'object' }, '{', 'p/a', 'Enter valid JSON.'],
  [{ type: 'object' }, '[1]', 'p/a', 'Expected a dictionary'],
  [{ type: 'object', properties: { b: { type: 'integer' } }, ui: { widget: 'json-editor' } }, '{"b":"x"}', 'p/a', 'b: A valid integer'],
  [{ type: 'object', properties: { b: { type: 'integer', maximum: 1 } } }, { b: 2 }, 'p/a/b', 'less than or equal to 1'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['x', 'y'], 'p/a', 'no more than 1 elements'],
  [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['x'], 'p/a', 'at least 2 elements'],
  [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, ['x', 'x'], 'p/a', 'no element occurs twice'],
  [{ type: 'array', items: { type: 'string', minLength: 2 } }, ['xx', 'y'], 'p/a/1', 'at least 2 characters'],
  [{ type: 'array', items: { type: 'string' } }, ['x', ''], 'p/a/1', 'may not be blank'],
  [
    { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } },
    [{ b: 1 }, { b: 'x' }],
    'p/a/1/b',
    'valid integer',
  ],
] as [ValueSchema, unknown, string, string][])
  faults(`${JSON.stringify(schema)} with ${JSON.stringify(value)} has the right errors`, () => {
    const errors: Record<string, string | undefined> = found({ a: schema }, { a: value }, false)
    assert.equal(Object.keys(errors), [`plugin_options.${at}`])
    assert.ok(errors[`plugin_options.${at}`]?.includes(message), errors[`plugin_options.${at}`])
  })
for (const [schema, value] of [
  [{ type: 'string', pattern: '[' }, 'what is no expression judges nothing'],
  [{}, { a: 1 }],
  [{ type: ['string', 'null'] }, '7'],
] as [ValueSchema, unknown][])
  faults(`an unknown schema refuses nothing: ${JSON.stringify(schema)}`, () => assert.equal(found({ a: schema }, { a: value }), {}))
faults('a missing value is reported at touched fields, and at all fields once the form is sent', () => {
  const needs: Partial<PluginSchema> = { dependentRequired: { is_active: ['a', 'c'] } }
  const properties: Record<string, ValueSchema> = { a: { type: 'string' }, c: AUTH }
  assert.equal(found(properties, {}, false, needs), {})
  assert.equal(found(properties, { a: '' }, false, needs), { 'plugin_options.p/a': 'This field is required.' })
  assert.equal(found(properties, {}, true, needs), {
    'plugin_options.p/a': 'This field is required.',
    'plugin_options.p/c/user': 'This field is required.',
  })
  assert.equal(found({ a: { type: 'array', items: { type: 'string' } } }, { a: [undefined] }, false), {}, 'a row that was just added')
})
faults('an inactive plugin is not validated', () => {
  const forms = formsOf({ a: { type: 'integer' } }, { dependentRequired: { is_active: ['a'] } })
  for (const values of [{}, { p: {} }, { p: { is_active: false, a: 'x' } }]) assert.equal(pluginFaults(forms, values, { all: true }), [])
})

const screen = suite('plugins in the crawl form')
const forms = pluginsSchema(PLUGINS).properties
const filled = { ...DEFAULT_FORM, url: 'https://a.example/', plugin_options: { structured_data: { is_active: true, types: ['Product'] } } }
screen('plugin options are sent as shown, accepted by the contract, and read back unchanged', () => {
  const body = requestBody(filled, true, forms)
  assert.equal(body.options.plugin_options, {
    structured_data: { is_active: true, json_ld: true, microdata: true, open_graph: true, types: ['Product'] },
  })
  const { options } = createCrawl.body.parse(body)
  const again = formOf({ urls: ['https://a.example/'], crawl_type: 'single', options })
  assert.equal(requestBody(again, true, forms).options.plugin_options, body.options.plugin_options)
  assert.equal(requestBody(again, true).options.plugin_options, body.options.plugin_options, 'also before their forms are known')
})
screen('plugin options count as differences, by name, and are reset with the others', () => {
  assert.equal(differences(filled, true, forms), [{ tab: 'plugin', name: 'Structured data', value: '' }])
  assert.equal(differences({ ...filled, plugin_options: { structured_data: { is_active: false } } }, true, forms), [])
  assert.equal(withoutChanges(filled).plugin_options, {})
})
const answer = (plugins: unknown) =>
  errorsOf(
    { code: 400, message: 'Invalid input data.', errors: { options: { plugin_options: plugins as Record<string, string[]> } } },
    forms,
  )
for (const [plugins, expected, why] of [
  [{ structured_data: { json_ld: ['No.'] } }, { 'plugin_options.structured_data/json_ld': 'No.' }, 'a field'],
  [{ structured_data: { types: { 1: ['Long.'] } } }, { 'plugin_options.structured_data/types/1': 'Long.' }, 'an item of a list'],
  [
    { structured_data: { types: [{}, { non_field_errors: ['Odd.'] }] } },
    { 'plugin_options.structured_data/types/1': 'Odd.' },
    'a list with an error per item',
  ],
  [{ structured_data: { types: ['Many.'] } }, { 'plugin_options.structured_data/types': 'Many.' }, 'a list itself'],
  [{ structured_data: ['Off today.'] }, { 'plugin_options.structured_data': 'Off today.' }, 'a plugin'],
  [{ structured_data: { other: ['No.'] } }, { 'plugin_options.structured_data': 'other: No.' }, 'a field without a control'],
  [{ elsewhere: { a: ['No.'] } }, { form: 'elsewhere, a: No.' }, 'a plugin without a form'],
] as const)
  screen(`errors of the server are shown at their control: ${why}`, () => {
    const errors = answer(plugins)
    assert.equal(errors, expected)
    if (why !== 'a plugin without a form') assert.equal([firstTabWithError(errors), errorsIn(errors, 'plugin')], ['plugin', 1])
  })

for (const one of [widget, sending, faults, screen]) one.run()
