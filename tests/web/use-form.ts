import { createElement, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ErrorBody } from '#contract/endpoint.ts'
import { ApiError } from '#web/api/client.ts'
import { useForm } from '#web/api/use-form.ts'
import type { Form } from '#web/api/use-form.ts'
import { optionErrors } from '#web/runs/shared/option-error.ts'

const EMPTY = { url: '', depth: 1, options: { limit: 1, paths: ['a'] } }
type Values = typeof EMPTY
type Options = Parameters<typeof useForm<Values, 'target'>>[0]
type Act = (form: Form<Values, 'target'>) => void

globalThis.requestAnimationFrame ??= () => 0

/** The form after these acts, each in a render of its own. */
function after(options: Partial<Options>, ...acts: Act[]): Form<Values, 'target'> {
  const forms: Form<Values, 'target'>[] = []
  const Screen = ({ report }: { report: (form: Form<Values, 'target'>) => void }) => {
    const form = useForm<Values, 'target'>({ initial: EMPTY, ...options })
    const [at, setAt] = useState(0)
    report(form)
    if (at < acts.length) {
      setAt(at + 1)
      acts[at]?.(form)
    }
    return null
  }
  renderToString(createElement(Screen, { report: (form) => forms.push(form) }))
  const last = forms.at(-1)
  assert.ok(last)
  return last as Form<Values, 'target'>
}

/** A call that the server has refused. */
function refused(errors: ErrorBody['errors']) {
  const submission = {
    error: new ApiError(400, { code: 400, errors, message: 'No.' }) as ApiError | null,
    reset: () => {
      submission.error = null
    },
  }
  return submission
}

const nothing = () => undefined
const send: Act = (form) => form.attempt(nothing)
const wrong = () => ({ url: 'no URL', depth: 'too deep', 'options.limit': 'too many' })

const hook = suite('the form hook')

hook('an attempt to send shows the errors, and each field loses its own error with its next change', () => {
  assert.equal(after({ judge: wrong }).shownErrors, {})
  assert.equal(after({ judge: wrong }, send).shownErrors, wrong())
  const form = after({ judge: wrong }, send, ({ field }) => field('url').onChange('x'))
  assert.equal(form.shownErrors, { depth: 'too deep', 'options.limit': 'too many' })
  assert.equal([form.values.url, form.field('depth').error, form.isDirty], ['x', 'too deep', true])
})

hook('a field in a group has its own value, error and changes', () => {
  const limit = (form: Form<Values, 'target'>) => form.part('options').field('limit')
  const sent = after({ judge: wrong }, send)
  assert.equal([limit(sent).value, limit(sent).error, sent.part('options').shown('paths')], [1, 'too many', undefined])
  const other = after({ judge: wrong }, send, ({ part }) => part('options').field('paths').onChange(['b']))
  assert.equal([other.values.options, limit(other).error], [{ limit: 1, paths: ['b'] }, 'too many'])
  const changed = after({ judge: wrong }, send, ({ part }) => part('options').set({ limit: 2 }))
  assert.equal([changed.values.options, limit(changed).error], [{ limit: 2, paths: ['a'] }, undefined])
  assert.is(changed.shown('url'), 'no URL')
})

hook('an error that belongs to no value disappears with a change that names it', () => {
  const judge = () => ({ target: 'none' })
  assert.is(after({ judge }, send, ({ set }) => set({ url: 'x' })).shown('target'), 'none')
  assert.is(after({ judge }, send, ({ set }) => set({ url: 'x' }, ['target'])).shown('target'), undefined)
})

hook('an error of a rule that applies at once is shown before an attempt to send, and prevents sending', () => {
  let sends = 0
  let opened: unknown
  const atOnce = ({ depth }: Values) => ({ depth: depth > 1 ? 'too deep' : undefined })
  const opens = (names: unknown) => (opened = names)
  const count: Act = (form) => form.attempt(() => sends++)
  assert.is(after({ atOnce, opens }, ({ set }) => set({ depth: 2 }), count).shown('depth'), 'too deep')
  assert.equal([sends, opened], [0, { depth: 'too deep' }])
  assert.is(after({ atOnce, opens }, count).shown('depth'), undefined)
  assert.is(sends, 1)
})

hook('values that are held outside the form are read from there and changed there', () => {
  const changes: Values[] = []
  const held = [{ ...EMPTY, url: 'there' }, (values: Values) => changes.push(values)] as const
  const form = after({ held }, ({ field }) => field('depth').onChange(3))
  assert.equal([form.values, form.isDirty], [{ ...EMPTY, url: 'there' }, true])
  assert.equal(changes, [{ ...EMPTY, url: 'there', depth: 3 }])
})

hook('an error of the server stays at its field until the field changes, and the refusal stays until any field changes', () => {
  const errors = { url: ['Taken.'], 'the-depth': ['Deep.'] }
  const options = () => ({ submissions: [refused(errors)], serverNames: { depth: 'the-depth' } })
  const form = after(options())
  assert.equal([form.shown('url'), form.shown('depth'), form.refusal?.message], ['Taken.', 'Deep.', 'No.'])
  const changed = after(options(), ({ set }) => set({ url: 'x' }))
  assert.equal([changed.shown('url'), changed.shown('depth'), changed.refusal], [undefined, 'Deep.', null])
  assert.equal(
    after(
      options(),
      ({ set }) => set({ url: 'x' }),
      ({ set }) => set({ depth: 2 }),
    ).shownErrors,
    {},
  )
  assert.equal(after(options(), ({ set }) => set({ url: 'x' }), send).shownErrors, {}, 'an attempt asks anew')
  const again = after(options(), ({ restart }) => restart({ ...EMPTY, url: 'y' }))
  assert.equal([again.shownErrors, again.refusal, again.values.url, again.isDirty], [{}, null, 'y', false])
})

hook('errors of the server about a request and about its options are shown at the fields', () => {
  const shown = (errors: ErrorBody['errors']) =>
    after({ submissions: [refused(errors)], serverErrors: optionErrors('options') }).shownErrors
  assert.equal(shown({ url: ['No.'], options: { depth: ['Deep.'], paths: { '2': ['Long.'] } } }), {
    url: 'No.',
    depth: 'Deep.',
    paths: 'Long.',
  })
  assert.equal(shown({ options: ['Too big.'] }), { options: 'Too big.' })
  for (const none of [null, []]) assert.equal(shown(none), {})
})

hook.run()
