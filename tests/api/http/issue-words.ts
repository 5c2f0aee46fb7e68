/** Messages about invalid input, made from the shapes of a request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod/mini'
import { oneOf } from '#contract/fields.ts'
import { wordsOf } from '#backend/http/issue-words.ts'

const words = suite('messages about invalid input')

/** The messages about a value, as callers of the Firecrawl API get them. */
function messagesOf(shape: z.ZodMiniType, value: unknown, noun: 'argument' | 'field' = 'field'): string[] {
  const { error } = shape.safeParse(value, { error: () => 'Invalid input' })
  return (error?.issues ?? []).map((issue) => wordsOf({ ...issue }, value, noun))
}

const NAMES = Array.from({ length: 12 }, (_, at) => `n${at}`)
const CASES: [what: string, shape: z.ZodMiniType, value: unknown, message: string][] = [
  ['an absent field', z.object({ a: z.string() }), {}, 'This field is required.'],
  ['an absent field of a list', z.array(z.object({ a: z.string() })), [{ a: 'x' }, {}], 'This field is required.'],
  ['a field of another type', z.object({ a: z.string() }), { a: 1 }, 'This must be of type string.'],
  ['a null field', z.object({ a: z.object({ b: z.string() }) }), { a: null }, 'This must be of type object.'],
  ['a body that is missing', z.string(), undefined, 'This must be of type string.'],
  ['unknown fields', z.strictObject({}), { b: 1, c: 2 }, 'There are no such fields: b, c.'],
  [
    'many unknown fields',
    z.strictObject({}),
    Object.fromEntries(NAMES.map((name) => [name, 1])),
    `There are no such fields: ${NAMES.slice(0, 10).join(', ')}.`,
  ],
  ['an unknown field with a long name', z.strictObject({}), { ['x'.repeat(400)]: 1 }, `There are no such fields: ${'x'.repeat(300)}.`],
  ['a short text', z.string().check(z.minLength(2)), 'a', 'This must have at least 2 characters.'],
  ['a long list', z.array(z.number()).check(z.maxLength(1)), [1, 2], 'This must have at most 1 item.'],
  ['an empty text', z.string().check(z.minLength(1)), '', 'This must have at least 1 character.'],
  ['a small number', z.number().check(z.minimum(3)), 2, 'This must be at least 3.'],
  ['a large number', z.number().check(z.maximum(3)), 4, 'This must be at most 3.'],
  ['another word', z.enum(['a', 'b']), 'c', 'This must be one of a, b.'],
  ['another fault', z.string().check(z.regex(/^a/)), 'b', 'Invalid input'],
  ['none of several types', z.union([z.string(), z.array(z.string())]), 1, 'This must be of type string or array.'],
  ['none of several words', z.union([z.literal('a'), z.enum(['b', 'c'])]), 'd', 'This must be one of a, b, c.'],
  ['none of several words, and no object', z.union([z.literal('a'), z.object({}), z.literal('b')]), 'c', 'This must be one of a, b.'],
  ['no empty text, and no word of a list', z.union([z.literal(''), oneOf(['a', 'b'])]), 'c', '"c" is not a valid choice.'],
  [
    'an object for a word or an object',
    z.union([z.enum(['a', 'b']), z.object({ type: z.literal('a'), size: z.number() })]),
    { type: 'a' },
    'size: This field is required.',
  ],
  [
    'an object that is nearest to the second of two',
    z.union([z.object({ a: z.string(), b: z.string() }), z.object({ c: z.string() })]),
    {},
    'c: This field is required.',
  ],
  ['a number in place of either text', z.union([z.string(), z.email()]), 1, 'This must be of type string.'],
  ['a list in place of an object or a word', z.union([z.enum(['a']), z.object({})]), [], 'This must be one of a.'],
  ['a null in place of an object or a text', z.union([z.string(), z.object({})]), null, 'This must be of type string or object.'],
]
for (const [what, shape, value, message] of CASES)
  words(`${what}: ${message.slice(0, 60)}`, () => assert.equal(messagesOf(shape, value), [message]))

words('the own message of a shape stays, and parts of a call of a tool are arguments', () => {
  const own = z.string('Write a text.').safeParse(1).error!.issues[0]!
  assert.is(wordsOf({ ...own }, 1, 'field'), 'Write a text.')
  assert.equal(messagesOf(z.object({ a: z.string() }), {}, 'argument'), ['This argument is required.'])
  assert.equal(messagesOf(z.strictObject({}), { b: 1 }, 'argument'), ['There are no such arguments: b.'])
})

words.run()
