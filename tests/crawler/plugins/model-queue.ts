/** Turns of calls to language models, and what servers answer to one call. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAskModel } from '#backend/crawler/models/ask-model.ts'
import type { ModelAnswer } from '#backend/crawler/models/ask-model.ts'
import { createModelQueue } from '#backend/crawler/models/model-queue.ts'
import { costOf } from '#backend/crawler/models/model-port.ts'
import type { OperatorAnswer, OperatorRequest } from '#backend/crawler/fetch/operator-client.ts'

const queues = suite('the queue of model calls')
const open = () => new AbortController().signal

queues('concurrent calls stay within the places, and a team with many lets one with few go first', async () => {
  const queue = createModelQueue({ now: () => 0, slots: 2 })
  const order: string[] = []
  const releases: (() => void)[] = []
  const ask = (share: string) =>
    queue.turn(share, 'e', open()).then((release) => {
      order.push(share)
      releases.push(release!)
    })
  const all = [...Array.from({ length: 5 }, () => ask('many')), ask('few')]
  await Promise.all(all.slice(0, 2))
  assert.equal(order, ['many', 'many'])
  releases.shift()!()
  await all[5]
  assert.equal(order, ['many', 'many', 'few'])
  while (order.length < 6) {
    releases.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(order.slice(3), ['many', 'many', 'many'])
  queue.close()
})
queues('releasing a place twice frees one place', async () => {
  const queue = createModelQueue({ now: () => 0, slots: 1 })
  const release = (await queue.turn('a', 'e', open()))!
  const second = queue.turn('a', 'e', open())
  const third = queue.turn('a', 'e', open())
  release()
  release()
  let isThird = false
  void third.then(() => (isThird = true))
  await second
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(isThird, false)
  queue.close()
})
queues('a call that is canceled while waiting takes no place', async () => {
  const queue = createModelQueue({ now: () => 0, slots: 1 })
  const release = (await queue.turn('a', 'e', open()))!
  const stop = new AbortController()
  const waiting = queue.turn('a', 'e', stop.signal)
  stop.abort()
  assert.is(await waiting, null)
  assert.is(await queue.turn('a', 'e', stop.signal), null)
  const next = queue.turn('b', 'e', open())
  release()
  assert.type(await next, 'function')
  queue.close()
})
queues('an endpoint that asked for a pause gets no calls until the pause is over, and other endpoints do', async () => {
  const clock = { at: 0 }
  const queue = createModelQueue({ now: () => clock.at, slots: 1 })
  queue.hold('busy', 1000)
  const held = queue.turn('a', 'busy', open())
  const release = (await queue.turn('a', 'free', open()))!
  clock.at = 1000
  release()
  assert.type(await held, 'function')
  queue.close()
})

const asking = suite('one call to a model')
const ENDPOINT = { id: '', url: 'http://m.test/v1', apiKey: 'sk-1', isOperators: true, model: 'm', price: { input: 1, output: 2 } }
const SCHEMA = { type: 'object', properties: { ok: { type: 'boolean' } } }

/** A client whose server answers in turn. */
function askOf(...answers: (OperatorAnswer | ((request: OperatorRequest) => OperatorAnswer))[]) {
  const sent: (OperatorRequest & { json: Record<string, unknown> })[] = []
  const client = {
    ask: async (request: OperatorRequest) => {
      sent.push({ ...request, json: JSON.parse(request.body!) as Record<string, unknown> })
      const next = answers.shift()!
      return typeof next === 'function' ? next(request) : next
    },
  }
  const never = { ask: async (): Promise<OperatorAnswer> => assert.unreachable('the other client was asked') as never }
  const ask = createAskModel({ operators: client, guarded: never })
  return {
    sent,
    ask: () => ask(ENDPOINT, { messages: [{ role: 'user', content: 'x'.repeat(400) }], schema: SCHEMA, timeoutMs: 1000, signal: open() }),
  }
}
const answer = (json: unknown, status = 200, retryAfterMs: number | null = null): OperatorAnswer => ({
  kind: 'answer',
  status,
  contentType: 'application/json',
  body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
  retryAfterMs,
})
const said = (content: unknown, more: object = {}) =>
  answer({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 9, completion_tokens: 3 },
    ...more,
  })

asking('a call sends the key, the schema and limits, and returns the text with its tokens', async () => {
  const { ask, sent } = askOf(said('{"ok":true}'))
  assert.equal(await ask(), { kind: 'answer', text: '{"ok":true}', promptTokens: 9, answerTokens: 3 })
  const [{ headers, json, maxBytes, url }] = sent as [(typeof sent)[0]]
  assert.equal([url, headers!['authorization']], ['http://m.test/v1/chat/completions', 'Bearer sk-1'])
  assert.equal([json['model'], json['temperature'], json['max_tokens']], ['m', 0, 4096])
  assert.equal(json['response_format'], { type: 'json_schema', json_schema: { name: 'page', strict: false, schema: SCHEMA } })
  assert.is(maxBytes, 1024 * 1024)
})
asking('a parameter that a server does not support is omitted, also in later calls', async () => {
  const refuse = (message: string) => answer({ error: { message, type: 'invalid_request_error' } }, 400)
  const { ask, sent } = askOf(
    refuse('response_format json_schema is not supported'),
    refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    refuse("Unsupported value: 'temperature' does not support 0 with this model."),
    said('{}'),
    said('{}'),
  )
  assert.is((await ask()).kind, 'answer')
  assert.is((await ask()).kind, 'answer')
  assert.is(sent.length, 5)
  const { max_completion_tokens, max_tokens, response_format, temperature } = sent[4]!.json
  assert.equal([response_format, max_tokens, max_completion_tokens, temperature], [{ type: 'json_object' }, undefined, 4096, undefined])
})
for (const [reply, fault, detail] of [
  [answer('<html>'), 'answer', 'its answer is not JSON'],
  [answer({ choices: [] }), 'answer', 'its answer has no choices'],
  [said(null), 'answer', 'its answer is empty'],
  [answer({ choices: [{ finish_reason: 'length', message: { content: '{"a"' } }] }), 'answer', 'its answer was longer than 4096 tokens'],
  [
    answer({ choices: [{ finish_reason: 'stop', message: { content: null, refusal: 'I will\nnot' } }] }),
    'answer',
    'it refused: I will not',
  ],
  [
    answer({ choices: [{ finish_reason: 'tool_calls', message: { content: null, tool_calls: [{}] } }] }),
    'answer',
    'it called a tool, although none was offered',
  ],
  [answer({ error: { message: 'bad key sk-1' } }, 401), 'endpoint', 'it does not accept the key'],
  [answer({}, 404), 'endpoint', 'it has no model m, or is not a model server'],
  [answer({}, 307), 'endpoint', 'it answered HTTP 307, and redirects are not followed'],
  [answer({ error: { message: 'x', code: 'insufficient_quota' } }, 429), 'endpoint', 'its quota is used up'],
  [answer({ error: { message: 'slow' } }, 429, 1000), 'later', 'it answered HTTP 429: slow'],
  [answer('oops', 500), 'later', 'it answered HTTP 500'],
  [{ kind: 'failure', reason: 'timeout', detail: 'no answer in time' }, 'later', 'no answer in time'],
  [{ kind: 'failure', reason: 'too_large', detail: 'x' }, 'answer', 'its answer is larger than 1 MiB'],
  [{ kind: 'failure', reason: 'refused_address', detail: 'x' }, 'endpoint', 'its address is not allowed'],
] as [OperatorAnswer, string, string][])
  asking(`a call fails with a named reason: ${detail}`, async () => {
    const { ask } = askOf(reply)
    const { detail: was, fault: as } = (await ask()) as Extract<ModelAnswer, { kind: 'failure' }>
    assert.equal([as, was], [fault, detail])
  })
asking('T21: implausible token counts of a server are replaced by estimates', async () => {
  for (const usage of [
    { prompt_tokens: 1e15, completion_tokens: -5 },
    { prompt_tokens: 'NaN' },
    null,
    { prompt_tokens: 1.5, completion_tokens: 1e9 },
  ]) {
    const { ask } = askOf(said('{"ok":true}', { usage }))
    const { answerTokens, promptTokens } = await ask()
    assert.ok(promptTokens > 100 && promptTokens < 1000, String(promptTokens))
    assert.is(answerTokens, 3)
  }
})
asking('the cost is calculated from the price of a million tokens', () =>
  assert.is(costOf({ input: 0.15, output: 0.6 }, 2_000_000, 500_000), 0.6),
)

queues.run()
asking.run()
