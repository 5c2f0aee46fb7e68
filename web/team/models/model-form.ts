/** The form of a team's model server: validation and request. Pure. */
import type { ModelEndpointAnswer, ModelEndpointBody } from '#contract/models.ts'
import * as t from '#texts/models.ts'

export type ModelForm = {
  base_url: string
  /** Empty keeps the stored key, as long as the URL stays the same. */
  key: string
  withoutKey: boolean
  /** One name a line. */
  models: string
}

export type ModelErrors = { [Name in 'base_url' | 'models']?: string }

/** The initial values of the form: empty, or the stored ones. */
export const formOf = ({ base_url, has_key, models }: ModelEndpointAnswer): ModelForm => ({
  base_url: base_url ?? '',
  key: '',
  withoutKey: base_url !== null && !has_key,
  models: models.join('\n'),
})

const namesOf = ({ models }: Pick<ModelForm, 'models'>): string[] => [
  ...new Set(
    models
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

export function modelErrors(form: ModelForm): ModelErrors {
  const { protocol } = URL.parse(form.base_url.trim()) ?? { protocol: '' }
  return {
    ...(!/^https?:$/.test(protocol) && { base_url: t.enterAUrl }),
    ...(namesOf(form).length === 0 && { models: t.nameAtLeastOneModel }),
  }
}

/** The key in the request: absent keeps the stored one. */
const keyOf = ({ key, withoutKey }: ModelForm): { api_key?: string | null } =>
  withoutKey ? { api_key: null } : key === '' ? {} : { api_key: key }

export const bodyOf = (form: ModelForm): ModelEndpointBody => ({
  base_url: form.base_url.trim(),
  models: namesOf(form),
  ...keyOf(form),
})

/** Tests the first model, because it is the default of crawls. */
export const testOf = (form: ModelForm) => ({ base_url: form.base_url.trim(), model: namesOf(form)[0] ?? '', ...keyOf(form) })
