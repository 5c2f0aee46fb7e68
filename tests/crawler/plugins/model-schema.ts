/** JSON Schemas of callers, and how a model's answer is fitted to them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkSchema } from '#backend/crawler/models/check-schema.ts'
import type { JsonSchema } from '#backend/crawler/models/check-schema.ts'
import { cutMarkdown } from '#backend/crawler/models/cut-markdown.ts'
import { fitValue } from '#backend/crawler/models/fit-value.ts'
import { mergeValues } from '#backend/crawler/models/merge-values.ts'
import { fitAnswer } from '#backend/crawler/models/read-by-model.ts'
import { assertLinear, processorMs } from '#tests/support/linear.ts'

const schemas = suite('schemas of extractions')

for (const [schema, why] of [
  [
    { type: 'object', properties: { name: { type: ['string', 'null'] }, price: { type: 'number', minimum: 0 } }, required: ['name'] },
    'an object',
  ],
  [{ $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] }, 'references in the style of pydantic'],
  [{ type: 'array', items: { type: 'string', pattern: '^[a-z]+$', format: 'uri' }, uniqueItems: true }, 'a list'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'x', default: 1, 'x-order': 2 }, 'annotations'],
  [{ discriminator: { propertyName: 'kind' }, example: 1, oneOf: [{ type: 'string' }] }, 'annotations of OpenAPI, which pydantic writes'],
  [{ type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } }, 'a record in the style of zod'],
  [{ type: 'array', items: [{ type: 'string' }], additionalItems: false }, 'a tuple of draft-07'],
  [true, 'the schema true'],
  [{ properties: { a: { default: { $ref: '#/none' } }, $ref: { type: 'string' } } }, 'a default and a property that look like references'],
  [
    { properties: { a: { items: [{ not: { type: 'null' } }] }, b: { $ref: '#/properties/a/items/0/not' }, c: { $ref: '#/properties/a' } } },
    'references to schemas of properties and items',
  ],
] as const)
  schemas(`a schema can be used: ${why}`, () => assert.equal(checkSchema(schema), []))

for (const [schema, fault] of [
  ['text', 'the schema: expected an object'],
  [{ type: 'text' }, 'type: "text" is not a type'],
  [{ properties: { a: { typ: 'string' } } }, 'properties.a.typ: this keyword is not supported'],
  [{ if: {} }, 'if: this keyword is not supported'],
  [{ properties: { a: { pattern: '(' } } }, /^properties\.a\.pattern: /],
  [{ pattern: '(?=a)b' }, /^pattern: /],
  [{ required: 'name' }, 'required: expected a list of names'],
  [{ anyOf: [] }, 'anyOf: expected a list of schemas'],
  [{ $ref: 'https://example.org/schema' }, '$ref: only references that begin with # are followed'],
  [{ properties: { a: { $ref: '#/$defs/none' } } }, '#/$defs/none: the schema has no such path'],
  [{ $ref: '#/x-own', 'x-own': { pattern: '(' } }, '#/x-own: there is no schema at this path'],
  [{ items: { $ref: '#/default' }, default: { required: 5 } }, '#/default: there is no schema at this path'],
  [{ not: { anyOf: [true, { $ref: '#/properties' }] }, properties: { type: {} } }, '#/properties: there is no schema at this path'],
  [{ minLength: -1 }, 'minLength: expected a whole number'],
] as [unknown, string | RegExp][])
  schemas(`a schema is refused at its path: ${String(fault)}`, () => {
    const [first] = checkSchema(schema)
    if (typeof fault === 'string') assert.is(first, fault)
    else assert.match(first!, fault)
  })
schemas('schemas that are nested too deeply are refused', () => {
  let schema: object = {}
  for (let depth = 0; depth < 200; depth += 1) schema = { not: schema }
  assert.match(checkSchema(schema)[0]!, 'nested too deeply')
})

const OFFER = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    price: { type: ['number', 'null'], minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    size: { enum: ['S', 'M', 'L'] },
    seen: { type: 'string', format: 'date' },
  },
  required: ['name'],
}
const fits = suite('answers against a schema')
for (const [schema, value, kept, why] of [
  [OFFER, { name: 'Tea', price: 4.5, tags: ['a'] }, { name: 'Tea', price: 4.5, tags: ['a'] }, 'a valid answer stays'],
  [OFFER, { name: 'Tea', price: null, evil: '<script>' }, { name: 'Tea', price: null }, 'unknown properties are dropped'],
  [
    { ...OFFER, additionalProperties: true },
    { name: 'Tea', more: 1 },
    { name: 'Tea', more: 1 },
    'additionalProperties: true keeps unknown properties',
  ],
  [{ type: 'object', properties: {} }, { ok: true }, { ok: true }, 'a schema without properties keeps everything'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: 1, b: 2 }, { a: 1, b: 2 }, 'a dictionary'],
  [
    { $defs: { n: { type: 'object', properties: { of: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
    { of: { of: {} } },
    { of: { of: {} } },
    'a recursive schema',
  ],
  [
    {
      anyOf: [
        { type: 'object', properties: { a: { type: 'number' } } },
        { type: 'object', properties: { a: { type: 'number' }, b: {} } },
      ],
    },
    { a: 1, b: 2 },
    { a: 1, b: 2 },
    'of several alternatives the one that keeps most',
  ],
  [
    { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2 },
    'allOf keeps the properties of each schema',
  ],
  [
    { properties: { a: {} }, allOf: [{ properties: { b: { type: 'number' } } }], required: ['a', 'b'] },
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2 },
    'a required property that another part of the schema describes',
  ],
  [{ properties: { a: {} }, required: ['b'] }, { b: 2, c: 3 }, { b: 2 }, 'a required property that nothing describes'],
  [
    {
      oneOf: [
        { properties: { a: {} }, required: ['a'], additionalProperties: false },
        { properties: { a: {}, b: {} }, required: ['a', 'b'], additionalProperties: false },
      ],
    },
    { a: 1, b: 2 },
    { a: 1, b: 2 },
    'of oneOf the one alternative that forbids no property of the answer',
  ],
  [{ not: { properties: {}, additionalProperties: false } }, { a: 1 }, { a: 1 }, 'not a schema that forbids the properties of the answer'],
  [
    { propertyNames: { enum: ['red', 'blue'] }, additionalProperties: { type: 'number' } },
    { red: 1 },
    { red: 1 },
    'a record with known names',
  ],
  [{ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, ['a', 1, 2], ['a', 1, 2], 'a tuple of draft-07'],
  [{ type: 'string', nullable: true }, null, null, 'null where it is allowed'],
  [{ type: 'number', multipleOf: 0.01 }, 19.99, 19.99, 'a decimal multipleOf that floating point cannot represent'],
  [{ const: { a: [1] } }, { a: [1] }, { a: [1] }, 'a const'],
  [{ type: 'string', format: 'hasOwnProperty' }, 'x', 'x', 'a format that is no name of ours, and one of the language'],
  [{ type: 'string', format: '__defineGetter__' }, 'x', 'x', 'another one'],
] as [JsonSchema, unknown, unknown, string][])
  fits(why, () => {
    assert.equal(checkSchema(schema), [])
    assert.equal(fitValue(schema, value), { value: kept, faults: [] })
  })

for (const [value, faults] of [
  [{ price: 1 }, ['name: it is missing']],
  [{ name: 'x', price: '4' }, ['price: expected number or null, but it is string']],
  [{ name: '', price: -1 }, ['name: it has fewer than 1 character', 'price: it must be at least 0']],
  [{ name: 'x', tags: ['a', 1] }, ['tags.1: expected string, but it is number']],
  [{ name: 'x', tags: ['a', 'b', 'c', 'd'] }, ['tags: it has more than 3 items']],
  [{ name: 'x', size: 'XL' }, ['size: it is none of the allowed values']],
  [{ name: 'x', seen: '2026-02-30' }, ['seen: it is not a valid date']],
  [[], ['expected object, but it is array']],
  [{ extra: 1 }, ['name: it is missing']],
] as [unknown, string[]][])
  fits(`an answer does not fit: ${faults.join('; ')}`, () => assert.equal(fitValue(OFFER, value).faults, faults))

fits('names of properties, further items of a tuple, and forbidden required properties are checked', () => {
  const names = { propertyNames: { enum: ['red', 'blue'] } }
  assert.equal(fitValue(names, { red: 1, green: 2 }).faults, ['green: it is none of the allowed values (as a name)'])
  assert.equal(fitValue({ items: [{}], additionalItems: false } as JsonSchema, [1, 2]).faults, ['1: no value is allowed here'])
  assert.equal(fitValue({ properties: {}, additionalProperties: false, required: ['a'] }, { a: 1 }).faults, ['a: it is missing'])
})

fits('an answer with only unknown keys does not fit', () =>
  assert.equal(fitValue({ type: 'object', properties: { a: {} } }, { b: 1 }).faults, ['none of its properties is in the schema']),
)
fits('T20: no key of an answer reaches a prototype', () => {
  const answer = JSON.parse('{"__proto__":{"isAdmin":true},"a":{"__proto__":{"x":1},"b":1}}') as unknown
  for (const schema of [{ type: 'object' }, true, { type: 'object', additionalProperties: true, properties: { a: {} } }] as JsonSchema[]) {
    const { value } = fitValue(schema, answer)
    assert.equal(JSON.stringify(value), '{"a":{"b":1}}')
    assert.is((value as { isAdmin?: boolean }).isAdmin, undefined)
  }
  assert.is(({} as { isAdmin?: boolean }).isAdmin, undefined)
})
fits('T15: a schema with exponential work is refused, and a hostile pattern takes linear time', () => {
  const $defs: Record<string, unknown> = { x0: { type: 'number' } }
  for (let at = 1; at < 40; at += 1) $defs[`x${at}`] = { anyOf: [{ $ref: `#/$defs/x${at - 1}` }, { $ref: `#/$defs/x${at - 1}` }] }
  assert.equal(fitValue({ $defs, $ref: '#/$defs/x39' } as JsonSchema, 'text').faults, [
    'it takes too much work to check it against the schema',
  ])
  assert.equal(fitValue({ $ref: '#' }, 1).faults, ['it takes too much work to check it against the schema'])
  assert.equal(fitValue({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`).faults, ['it does not match ^(a+)+$'])
})

fits('T15: comparisons with long lists of a schema count as work, and errors of many values are cut', async () => {
  const numbers = Array.from({ length: 9000 }, (_, at) => at + 2)
  const ones = Array.from({ length: 150_000 }, () => 1)
  const objects = ones.map(() => ({}))
  const names = Array.from({ length: 2000 }, (_, at) => `k${at}`)
  const letters = Array.from({ length: 200_000 }, (_, at) => ((at * at * 2654435761) % 97 < 48 ? 'a' : 'b')).join('')
  const took = await processorMs(() => {
    for (const items of [{ enum: numbers }, { required: names }] as JsonSchema[])
      assert.equal(fitValue({ items }, objects).faults, ['it takes too much work to check it against the schema'])
    assert.equal(fitValue({ pattern: 'a[ab]{1900}c' }, letters).faults, ['it takes too much work to check it against the schema'])
  })
  assert.ok(took < 10_000, `${took} ms`)
  const { faults } = fitValue({ properties: { a: { items: { type: 'string' } } } }, { a: ones })
  assert.equal([faults.length, faults[0]], [10, 'a.0: expected string, but it is number'])
})

const parts = suite('long pages')
parts('a page that is short enough is one part', () => assert.equal(cutMarkdown('# a\n\ntext', 100), ['# a\n\ntext']))
parts('parts end before headings, and each part begins with the headings above it', () => {
  const text = (name: string) => `${name} `.repeat(30).trimEnd()
  const page = `# Shop\n\n${text('intro')}\n\n## Tea\n\n${text('tea')}\n\n## Cups\n\n### Blue\n\n${text('blue')}\n`
  const cut = cutMarkdown(page, 250)
  assert.is(cut.length, 3)
  assert.match(cut[0]!, /^# Shop\n\nintro/)
  assert.match(cut[1]!, /^# Shop\n## Tea\n\ntea/)
  assert.match(cut[2]!, /^# Shop\n## Cups\n/)
  for (const part of cut) assert.ok(part.length <= 250, String(part.length))
})
parts('no part is too long, and together the parts have the whole text', () => {
  for (const page of [
    'x'.repeat(1000),
    'word '.repeat(300),
    '😀'.repeat(400),
    `\`\`\`\n${'# no heading\n'.repeat(50)}\`\`\`\n# heading\n${'text\n'.repeat(100)}`,
    '# a\n'.repeat(200),
  ]) {
    const cut = cutMarkdown(page, 120)
    for (const part of cut) assert.ok(part.length <= 120 && part.isWellFormed(), JSON.stringify(part))
    const letters = (text: string) => text.replace(/^#.*\n/gm, '').replace(/\s/g, '')
    assert.is(letters(cut.join('')), letters(page))
  }
})
for (const [values, whole, why] of [
  [
    [
      { a: 1, list: ['x', 'y'] },
      { a: 2, b: 3, list: ['y', 'z'] },
    ],
    { a: 1, list: ['x', 'y', 'z'], b: 3 },
    'lists are joined, the first value stays',
  ],
  [
    [
      { a: null, c: { d: '' } },
      { a: 'x', c: { d: 'y' } },
    ],
    { a: 'x', c: { d: 'y' } },
    'empty values are replaced',
  ],
  [[[{ n: 1 }], [{ n: 1 }, { n: 2 }]], [{ n: 1 }, { n: 2 }], 'equal list items are kept once'],
  [[{}, {}], {}, 'empty objects make an empty object'],
  [[null, null], null, 'nulls make null'],
] as [unknown[], unknown, string][])
  parts(`answers for parts are merged: ${why}`, () => assert.equal(mergeValues(values), whole))

fits('the answer of a model is read from its code block', () => {
  for (const answer of [
    '```json\n{"a":1}\n```',
    '```\n\n  {"a":1}```',
    '```JSON \t\n{"a":1}\n\n```',
    '<think>``` {}</think>\n```json\n{"a":1}\n```\n',
  ])
    assert.equal(fitAnswer({ type: 'object', properties: { a: { type: 'number' } } }, answer).value, { a: 1 }, answer)
})

for (const [levels, isRead] of [
  [150, true],
  [250, false],
  [100_000, false],
] as const)
  fits(`A1: an answer of ${levels} lists in lists is ${isRead ? 'read' : 'a fault of the model'} where the schema allows any value`, () => {
    const lists = '['.repeat(levels) + ']'.repeat(levels)
    for (const answer of [lists, `{"a":${lists}}`]) {
      const { faults, value } = fitAnswer({}, answer)
      assert.equal(faults, isRead ? [] : ['it takes too much work to check it against the schema'])
      assert.equal(value, isRead ? JSON.parse(answer) : null)
    }
  })

const many = (schema: JsonSchema, count: number) => ({ $defs: { n: schema }, anyOf: Array.from({ length: count }, () => schema) })
const texts = Array.from({ length: 100 }, (_, at) => `${at} `.repeat(20))
for (const [what, schema, answer] of [
  ['copies of a value', many(true, 5000), [texts]],
  ['the length of a long text', many({ type: 'string' }, 5000), texts.join()],
  ['the format of a long text', many({ format: 'uri' }, 5000), texts.join()],
  ['twins in a list', many({ uniqueItems: true }, 900), [texts.join().repeat(5)]],
  [
    'long allowed values',
    { $defs: { n: { enum: [[texts]] } }, anyOf: Array.from({ length: 5000 }, () => ({ $ref: '#/$defs/n' })) },
    [texts],
  ],
] as [string, JsonSchema, unknown][])
  fits(`A1: alternatives take a limited amount of work, whatever each of them does: ${what}`, () => {
    assert.equal(checkSchema(schema), [])
    assert.equal(fitValue(schema, answer).faults, ['it takes too much work to check it against the schema'])
  })

fits('A1: alternatives within alternatives take no more work for each level', () => {
  const other = { type: 'object', properties: { a: {} }, additionalProperties: false }
  const nested = (levels: number): JsonSchema => (levels === 0 ? { type: 'object' } : { oneOf: [nested(levels - 1), other] })
  assert.equal(fitValue(nested(60), { a: 1 }), { value: { a: 1 }, faults: [] })
})

fits('A1: the time to read the answer of a model grows linearly with its blank lines', () =>
  assertLinear('blank lines', (size) => {
    const answer = '```\n' + '\n'.repeat(size) + 'x'
    return () => fitAnswer({ type: 'object' }, answer)
  }),
)

schemas.run()
fits.run()
parts.run()
