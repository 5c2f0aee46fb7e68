/** The form of the team's model server: saves it, tests it, removes it. */
import { useState } from 'react'
import { getModelEndpoint, removeModelEndpoint, setModelEndpoint, testModelEndpoint } from '#contract/models.ts'
import type { ModelEndpointAnswer } from '#contract/models.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import type { ApiError } from '#web/api/client.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/models.ts'
import { bodyOf, formOf, modelErrors, testOf } from './model-form.ts'
import type { ModelForm } from './model-form.ts'

const STALE = { refreshes: [getModelEndpoint, getPluginsSchema] }
const FIELDS = ['base_url', 'api_key', 'models', 'model', 'non_field_errors']

export type ModelServer = ReturnType<typeof useModelServer>

export function useModelServer(stored: ModelEndpointAnswer) {
  const [tested, setTested] = useState<string | null>(null)
  const save = useAction(setModelEndpoint, STALE)
  const test = useAction(testModelEndpoint)
  const remove = useAction(removeModelEndpoint, STALE)
  const form = useForm({ initial: () => formOf(stored), judge: modelErrors, submissions: [save, test], serverNames: { key: 'api_key' } })
  const { attempt, refusal, values } = form

  const submit = async () => {
    if (save.busy) return
    test.reset()
    const outcome = await save.run({ body: bodyOf(values) })
    if (outcome.ok) toast.success(t.modelServerSaved)
    else toast.error(t.failedToSaveTheModelServer)
  }
  const runTest = async () => {
    if (test.busy) return
    setTested(null)
    save.reset()
    const outcome = await test.run({ body: testOf(values) })
    if (!outcome.ok) return
    const { answer_tokens, model, prompt_tokens, took_ms } = outcome.answer
    setTested(t.answered(model, numberText(took_ms), prompt_tokens + answer_tokens))
  }
  return {
    box: form.form,
    values,
    shown: form.shown,
    set: (next: Partial<ModelForm>) => {
      form.set(next)
      // The test's result is about the previous values.
      setTested(null)
    },
    /** What the test has said; null if the values were not tested. */
    tested,
    modelFault: fieldError(refusal, 'model'),
    /** The server's error that belongs to no field. */
    fault: fieldError(refusal, 'non_field_errors') ?? (refusal && !isShown(refusal) ? refusal.message : undefined),
    save: () => attempt(() => void submit()),
    test: () => attempt(() => void runTest()),
    remove: async () => {
      const outcome = await remove.run({})
      if (outcome.ok) toast.success(t.modelServerRemoved)
      else toast.error(t.failedToRemoveTheModelServer(outcome.error.message))
    },
    isSaving: save.busy,
    isTesting: test.busy,
    isRemoving: remove.busy,
  }
}

/** Whether a field shows the error. */
const isShown = (error: ApiError) => FIELDS.some((name) => fieldError(error, name) !== undefined)
