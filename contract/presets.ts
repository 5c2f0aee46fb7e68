/** Presets: crawl options that a team has saved under a name. */
import * as z from 'zod/mini'
import { crawlOptions, crawlRequest, givenCrawlOptions } from './crawls.ts'
import { endpoint } from './endpoint.ts'
import { shape, text } from './fields.ts'
import { MAX_PRESETS, MAX_PRESET_NAME, OPTIONS_BODY } from './sizes.ts'

const PRESETS = '/api/v1/core/crawl-presets'
const TAG = 'Crawl Presets'

const name = () => text({ max: MAX_PRESET_NAME })

export const crawlPreset = z.object({
  uuid: z.string(),
  name: z.string(),
  options: crawlRequest.shape.options,
  created_at: z.string(),
  updated_at: z.string(),
})
export type CrawlPreset = z.output<typeof crawlPreset>

export const listPresets = endpoint({
  method: 'GET',
  path: `${PRESETS}/`,
  access: 'team',
  tag: TAG,
  summary: "The team's presets, by name",
  answer: z.array(crawlPreset),
})
export const createPreset = endpoint({
  method: 'POST',
  path: `${PRESETS}/`,
  access: 'team',
  tag: TAG,
  summary: 'Save options under a name',
  body: shape({ name: name(), options: crawlOptions }),
  size: OPTIONS_BODY,
  answer: crawlPreset,
  status: 201,
  description: `A team has at most ${MAX_PRESETS} presets. Extra headers are refused: they often hold secrets, and a preset is shown to the whole team.`,
})
export const changePreset = endpoint({
  method: 'PATCH',
  path: `${PRESETS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Rename a preset, or replace its options',
  body: shape({ name: z.optional(name()), options: z.optional(givenCrawlOptions) }),
  size: OPTIONS_BODY,
  answer: crawlPreset,
})
export const deletePreset = endpoint({
  method: 'DELETE',
  path: `${PRESETS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Delete a preset',
  status: 204,
  description: 'Crawls that were started with it keep their options.',
})
