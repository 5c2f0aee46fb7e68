/** Each keyword of a JSON Schema, at the values where its verdict changes. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkSchema } from '#backend/crawler/models/check-schema.ts'
import type { JsonSchema } from '#backend/crawler/models/check-schema.ts'
import { fitValue } from '#backend/crawler/models/fit-value.ts'

const fits = suite('values against the keywords of a schema')

/** Values that fit, and those that do not, with the error. */
type Row = [schema: JsonSchema, right: unknown[], wrong: [value: unknown, fault: string][]]

const listed = (count: number) => Array.from({ length: count }, (_, at) => at)
const named = (count: number) => Object.fromEntries(listed(count).map((at) => [`k${at}`, at]))

const NUMBERS: Row[] = [
  [{ minimum: 2 }, [2, 3, 'text'], [[1.9, 'it must be at least 2']]],
  [{ maximum: 2 }, [2, 1, null], [[2.1, 'it must be at most 2']]],
  [{ exclusiveMinimum: 2 }, [2.1], [[2, 'it must be more than 2']]],
  [{ exclusiveMaximum: 2 }, [1.9], [[2, 'it must be less than 2']]],
  [
    { multipleOf: 0.1 },
    [0.3, 0, 1e6, -0.7, 123_456_789.1],
    [0.35, -0.05, 600_000_000.05].map((value) => [value, 'it must be a multiple of 0.1']),
  ],
  [{ multipleOf: 2 }, [2 ** 53], [[2 ** 53 - 1, 'it must be a multiple of 2']]],
  [{ multipleOf: 3 }, [9, 3e9], [[3e9 + 1, 'it must be a multiple of 3']]],
]

const TEXTS: Row[] = [
  [{ minLength: 2 }, ['ab', '😀😀', 1], [['😀', 'it has fewer than 2 characters']]],
  [{ minLength: 1 }, ['a'], [['', 'it has fewer than 1 character']]],
  [{ maxLength: 2 }, ['ab', '😀😀', ''], [['abc', 'it has more than 2 characters']]],
  [{ pattern: '^a+$' }, ['aa', 5], [['ab', 'it does not match ^a+$']]],
  [
    { format: 'date' },
    ['2028-02-29', '2026-12-31'],
    ['2027-02-29', '2026-13-01', '2026-1-1', '2026-01-01T10:00:00Z'].map((value) => [value, 'it is not a valid date']),
  ],
  [
    { format: 'date-time' },
    ['2028-02-29T23:59:59Z', '2026-01-01t10:00:00.5z', '2026-01-01T00:30:00+14:00'],
    ['2027-02-29T10:00:00Z', '2026-01-01', '2026-01-01T10:00:00', '2026-01-01T25:00:00Z'].map((value) => [
      value,
      'it is not a valid date-time',
    ]),
  ],
  [
    { format: 'time' },
    ['23:59:59', '00:00:00.25Z', '10:00:00-03:30'],
    ['24:00:00', '10:60:00'].map((value) => [value, 'it is not a valid time']),
  ],
  [
    { format: 'email' },
    ['a@b', `${'a'.repeat(318)}@b`],
    ['a', 'a@', '@b', 'a b@c', `${'a'.repeat(319)}@b`].map((value) => [value, 'it is not a valid email']),
  ],
  [{ format: 'uri' }, ['https://a.example/b', 'mailto:a@b'], [['/a', 'it is not a valid uri']]],
  [
    { format: 'uuid' },
    ['7d444840-9dc0-11d1-b245-5ffdce74fad2', '7D444840-9DC0-11D1-B245-5FFDCE74FAD2'],
    [['7d444840-9dc0-11d1-b245-5ffdce74fad', 'it is not a valid uuid']],
  ],
  [{ format: 'color' }, ['any'], []],
]

const TYPES: Row[] = [
  [{ type: 'integer' }, [1, -0, 1e21], [[1.5, 'expected integer, but it is number']]],
  [{ type: 'number' }, [1.5], [['1', 'expected number, but it is string']]],
  [{ type: ['null', 'array'] }, [null, []], [[{}, 'expected null or array, but it is object']]],
  [{ type: 'object' }, [{}], [[null, 'expected object, but it is null']]],
  [{ type: 'string', nullable: true }, [null, 'a'], [[1, 'expected string, but it is number']]],
  [{ type: 'string', nullable: false }, ['a'], [[null, 'expected string, but it is null']]],
  [{ enum: [1, { a: [2] }, null] }, [1, { a: [2] }, null], [[{ a: [3] }, 'it is none of the allowed values']]],
  [{ const: null }, [null], [[0, 'it is not the one allowed value']]],
  [false, [], [[1, 'no value is allowed here']]],
]

const LISTS: Row[] = [
  [{ minItems: 2 }, [[1, 2], 'a'], [[[1], 'it has fewer than 2 items']]],
  [{ maxItems: 1 }, [[1]], [[[1, 2], 'it has more than 1 item']]],
  [{ maxItems: 2 }, [[1, 2]], [[[1, 2, 3], 'it has more than 2 items']]],
  [
    { uniqueItems: true },
    [[1, '1', [1], { a: 1 }, { a: '1' }], listed(1000)],
    [
      [[{ a: 1, b: [2] }, 0, { b: [2], a: 1 }], 'an item stands in it twice'],
      [[[1], [1]], 'an item stands in it twice'],
      [listed(1001), 'it takes too much work to check it against the schema'],
    ],
  ],
  [{ uniqueItems: false }, [[1, 1]], []],
  [{ items: { type: 'string' } }, [['a'], []], [[['a', 1], '1: expected string, but it is number']]],
  [
    { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [['a', 1], ['a'], []],
    [
      [[1], '0: expected string, but it is number'],
      [['a', 'b'], '1: expected number, but it is string'],
    ],
  ],
  [{ prefixItems: [{ type: 'string' }] }, [['a', {}]], []],
  [{ items: [{ type: 'string' }] }, [['a', 1]], [[[1], '0: expected string, but it is number']]],
]

const OBJECTS: Row[] = [
  [{ minProperties: 2 }, [named(2), []], [[named(1), 'it has fewer than 2 properties']]],
  [{ minProperties: 1 }, [named(1)], [[{}, 'it has fewer than 1 property']]],
  [{ maxProperties: 2 }, [named(2)], [[named(3), 'it has more than 2 properties']]],
  [{ additionalProperties: { type: 'number' } }, [named(1)], [[{ a: { b: 1 } }, 'a: expected number, but it is object']]],
  [
    { properties: { a: { items: { properties: { b: { type: 'null' } } } } } },
    [{ a: [{ b: null }] }],
    [[{ a: [{ b: null }, { b: 1 }] }, 'a.1.b: expected null, but it is number']],
  ],
  [{ required: ['a'] }, [{ a: null }], [[{ b: 1 }, 'a: it is missing']]],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [[{ abc: 1 }, 'abc: it has more than 2 characters (as a name)']]],
]

const PARTS: Row[] = [
  [{ not: { type: 'number' } }, ['a'], [[1, 'it fits the schema that "not" excludes']]],
  [{ anyOf: [{ type: 'number' }, { minLength: 2 }] }, [1, 'ab', null], [['a', 'it fits none of the alternatives']]],
  [{ anyOf: [{ minLength: 2 }] }, ['ab'], [['a', 'it has fewer than 2 characters']]],
  [
    { oneOf: [{ minimum: 1 }, { maximum: 3 }] },
    [0, 4],
    [
      [2, 'it fits more than one of the alternatives'],
      ['a', 'it fits more than one of the alternatives'],
    ],
  ],
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [1, 3], [[4, 'it must be at most 3']]],
  [
    { $defs: { a: { minimum: 1 } }, $ref: '#/$defs/a', maximum: 3 },
    [1, 3],
    [
      [4, 'it must be at most 3'],
      [0, 'it must be at least 1'],
    ],
  ],
]

for (const [about, rows] of Object.entries({ numbers: NUMBERS, texts: TEXTS, types: TYPES, lists: LISTS, objects: OBJECTS, parts: PARTS }))
  fits(`${about} that fit stay as they are, and others have an error with its place`, () => {
    for (const [schema, right, wrong] of rows) {
      const text = JSON.stringify(schema)
      assert.equal(checkSchema(schema), [], text)
      for (const value of right) assert.equal(fitValue(schema, value), { value, faults: [] }, text)
      for (const [value, fault] of wrong)
        assert.equal(fitValue(schema, value).faults, [fault], `${text} ${JSON.stringify(value).slice(0, 80)}`)
    }
  })

fits('at most ten errors are reported, of properties and of items', () => {
  assert.is(fitValue({ additionalProperties: { type: 'null' } }, named(20)).faults.length, 10)
  assert.is(fitValue({ items: { type: 'null' } }, listed(20)).faults.length, 10)
})

fits('a value is checked two hundred levels deep, and a reference counts as a level', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
  for (const [schema, levels] of [
    [{}, 200],
    [{ $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }, 99],
  ] as [JsonSchema, number][]) {
    assert.equal(fitValue(schema, nested(levels)).faults, [])
    assert.equal(fitValue(schema, nested(levels + 1)).faults, ['it takes too much work to check it against the schema'])
  }
})

fits('of alternatives that fit, the one that keeps most properties is kept, and the first of equal ones', () => {
  const of = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) })
  const value = { a: 1, b: 2, c: 3 }
  assert.equal(fitValue({ anyOf: [of('a'), of('b', 'c'), of('a', 'b')] }, value).value, { b: 2, c: 3 })
  assert.equal(fitValue({ properties: { c: {} }, anyOf: [of('a')] }, value).value, { c: 3, a: 1 })
  assert.equal(fitValue({ additionalProperties: true, anyOf: [of('a')] }, value).value, value)
})

fits(
  'a forbidden property is an error only within "not" and where alternatives are told apart; elsewhere it is dropped, also behind these',
  () => {
    const closed = { properties: {}, additionalProperties: false }
    const one = { oneOf: [closed, { properties: { x: {} }, additionalProperties: false }] }
    for (const first of [{ not: closed }, one])
      assert.equal(fitValue({ properties: { a: first, b: closed } }, { a: { x: 1 }, b: { y: 1 } }), {
        value: { a: { x: 1 }, b: {} },
        faults: [],
      })
  },
)

fits('the bounds of a schema are checked where their verdict changes', () => {
  const SCHEMAS: [schema: object, fault: string | undefined][] = [
    [{ minLength: 0 }, undefined],
    [{ minLength: 0.5 }, 'minLength: expected a whole number'],
    [{ multipleOf: 0 }, 'multipleOf: expected a number above 0'],
    [{ multipleOf: '2' }, 'multipleOf: expected a number above 0'],
    [{ type: [] }, 'type: [] is not a type'],
    [{ required: ['a', 1] }, 'required: expected a list of names'],
    [{ pattern: 1 }, 'pattern: expected a text'],
    [{ $ref: '#' }, undefined],
    [{ $ref: '#a' }, '#a: the schema has no such path'],
    [{ minLength: 1, $ref: '#/minLength' }, '#/minLength: the schema has no such path'],
    [{ minLength: 1, $ref: '#/minLength/a' }, '#/minLength/a: the schema has no such path'],
    [{ $defs: { 'a/b~c d': { items: true } }, anyOf: [{ $ref: '#/$defs/a~1b~0c%20d' }, { $ref: '#/$defs/a~1b~0c%20d/items' }] }, undefined],
  ]
  for (const [schema, fault] of SCHEMAS) assert.equal(checkSchema(schema), fault === undefined ? [] : [fault], JSON.stringify(schema))
  const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) })
  assert.equal([checkSchema(nested(64)).length, checkSchema(nested(65)).length], [0, 1])
})

fits.run()
