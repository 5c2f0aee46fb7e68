/** The errors of the crawl form, from our rules or from the server, and the control that shows each. Pure. */
import type { ErrorBody, FieldErrors, FieldMessages } from '#contract/endpoint.ts'
import type { FormErrors } from '#web/api/use-form.ts'
import type { ValueFault } from '#contract/plugin-values.ts'
import { isTarget } from '#web/runs/shared/target-url.ts'
import * as t from '#texts/crawl-progress.ts'
import { DEFAULT_FORM, linesOf } from './crawl-form.ts'
import type { CrawlForm, PageFields, SpiderFields } from './crawl-form.ts'
import { pluginErrors } from './plugin-form.ts'
import type { Path, PluginFieldName, PluginForms } from './plugin-form.ts'

export type FieldName = 'target' | 'form' | `spider_options.${keyof SpiderFields}` | `page_options.${keyof PageFields}` | PluginFieldName
export type CrawlErrors = Partial<Record<FieldName, string>>
export type OptionsTab = 'spider' | 'page' | 'plugin'

const NOT_A_NUMBER = t.aValidIntegerIsRequired

/** Limits of the numbers. The API would silently clamp a larger wait or load time; the form rejects it, so that users see it. */
const BOUNDS = (maxConcurrency: number): [name: FieldName, value: (form: CrawlForm) => number | null, min: number, max: number][] => [
  ['spider_options.max_depth', (form) => form.spider_options.max_depth, 0, 1_000_000],
  ['spider_options.page_limit', (form) => form.spider_options.page_limit, 1, 2 ** 24 - 1],
  ['spider_options.concurrent_requests', (form) => form.spider_options.concurrent_requests, 1, maxConcurrency],
  ['page_options.wait_time', (form) => form.page_options.wait_time, 0, 60_000],
  ['page_options.timeout', (form) => form.page_options.timeout, 1000, 120_000],
]

const IN_BATCH = new Set<FieldName>(['spider_options.concurrent_requests', 'page_options.wait_time', 'page_options.timeout'])

/** A host pattern with `*`, `?` and `[abc]`, and an optional port; a URL with scheme or path would never match. */
function isHostPattern(text: string): boolean {
  const port = /^[^\s/@#]+?(?::(\d{1,5}|\*))?$/.exec(text.trim())
  return (
    port !== null && Number(port[1] === '*' ? 1 : (port[1] ?? 1)) <= 65535 && /^(?:[^:]+|\[[\da-f:.]+\])(?::[\d*]+)?$/i.test(text.trim())
  )
}

/** Validates the form before it is sent. An empty target has a separate message. */
export function checkForm(form: CrawlForm, { maxConcurrency }: { maxConcurrency: number }): CrawlErrors {
  const errors: CrawlErrors = {}
  if (form.crawl_type === 'single') {
    if (form.url.trim() !== '' && !isTarget(form.url.trim())) errors.target = t.enterAValidURLBeginningWith
  } else {
    const wrong = linesOf(form.urls).findIndex((line) => !isTarget(line))
    if (wrong >= 0) errors.target = t.urlEnterAValidURL(wrong + 1)
  }
  if (form.crawl_type === 'single') {
    const wrong = form.spider_options.allowed_domains.find((pattern) => !isHostPattern(pattern))
    if (wrong !== undefined) errors['spider_options.allowed_domains'] = t.enterAHost(wrong.slice(0, 60))
  }
  for (const [name, valueOf, min, max] of BOUNDS(maxConcurrency)) {
    if (form.crawl_type === 'batch' && !IN_BATCH.has(name)) continue
    const value = valueOf(form)
    if (value === null) continue
    if (Number.isNaN(value)) errors[name] = NOT_A_NUMBER
    else if (value < min) errors[name] = t.ensureThisValueIsGreaterThan(min)
    else if (value > max) errors[name] = t.ensureThisValueIsLessThan(max)
  }
  return errors
}

/**
 * The server's errors by control; errors without a control are under `form`.
 *
 * @param forms  the rendered forms of the plugins
 */
export function errorsOf(body: ErrorBody, forms: PluginForms = {}): CrawlErrors {
  const errors: CrawlErrors = {}
  const fields = body.errors === null || Array.isArray(body.errors) ? {} : body.errors
  for (const [field, messages] of Object.entries(fields)) {
    if (field === 'url') errors.target = firstMessage(messages)
    else if (field === 'urls') errors.target = firstMessage(messages, (index) => t.url(Number(index) + 1))
    else if (field === 'options') addOptions(errors, messages, forms)
    else errors.form ??= firstMessage(messages)
  }
  return errors
}

function addOptions(errors: CrawlErrors, options: FieldMessages, forms: PluginForms): void {
  if (Array.isArray(options)) {
    errors.form ??= firstMessage(options)
    return
  }
  for (const [group, fields] of Object.entries(options)) {
    if (group === 'plugin_options') {
      const { form, ...found } = pluginErrors(forms, faultsIn(fields))
      Object.assign(errors, found)
      if (form !== undefined) errors.form ??= form
      continue
    }
    if ((group !== 'spider_options' && group !== 'page_options') || Array.isArray(fields)) {
      errors.form ??= firstMessage(fields)
      continue
    }
    for (const [field, messages] of Object.entries(fields)) {
      const name = `${group}.${field === 'actions' ? 'screenshot' : field}`
      const text = firstMessage(messages, (index) => (/^\d+$/.test(index) ? t.entry(Number(index) + 1) : `${index}: `))
      if (isFieldName(name)) errors[name] = text
      else errors.form ??= `${field}: ${text}`
    }
  }
}

/** Flattens nested messages, each with its path. `non_field_errors` belong to the object that contains them. */
function faultsIn(messages: FieldMessages, path: Path = []): ValueFault[] {
  return Object.entries(messages).flatMap(([step, inner]: [string, string | FieldMessages]): ValueFault[] => {
    if (typeof inner === 'string') return [{ path: [...path], message: inner }]
    return faultsIn(inner, step === 'non_field_errors' ? path : [...path, /^\d+$/.test(step) ? Number(step) : step])
  })
}

const FIELDS: readonly string[] = (['spider_options', 'page_options'] as const).flatMap((group) =>
  Object.keys(DEFAULT_FORM[group]).map((name) => `${group}.${name}`),
)

const isFieldName = (name: string): name is Exclude<FieldName, PluginFieldName> => FIELDS.includes(name)
export const isPluginField = (name: string): name is PluginFieldName => name.startsWith('plugin_options.')

/** The first message inside, however deep, preceded by its place: the entry of a list, or the name in an object. */
function firstMessage(messages: FieldMessages, place: (index: string) => string = () => ''): string {
  if (Array.isArray(messages)) {
    const at = messages.findIndex((one) => typeof one === 'string' || Object.keys(one).length > 0)
    const first = messages[at]
    if (first === undefined) return ''
    return typeof first === 'string' ? first : place(String(at)) + firstMessage(first)
  }
  const [field, inner] = Object.entries(messages as FieldErrors)[0] ?? []
  return field === undefined || inner === undefined ? '' : place(field) + firstMessage(inner)
}

/** The tab with the control, or null when it is always visible. */
const tabOf = (name: string): OptionsTab | null =>
  name.startsWith('spider_options.') ? 'spider' : name.startsWith('page_options.') ? 'page' : isPluginField(name) ? 'plugin' : null

/** The tab to open: none when the target itself is invalid, because that is always visible. */
export function firstTabWithError(errors: FormErrors): OptionsTab | null {
  if (errors['target']) return null
  const own = FIELDS.filter((name) => isFieldName(name) && errors[name])
  return [...own, ...Object.keys(errors).filter(isPluginField)].map(tabOf)[0] ?? null
}

/** The number of errors in a tab. */
export const errorsIn = (errors: FormErrors, tab: OptionsTab): number =>
  Object.entries(errors).filter(([name, text]) => text && tabOf(name) === tab).length
