/** The form of a new crawl: its values and errors, the plugins' own fields, presets, and sending it. */
import { createBatchCrawl, createCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { useForm } from '#web/api/use-form.ts'
import { handedOverTo } from '#web/runs/shared/hand-over.ts'
import { useDraft } from '#web/runs/shared/use-draft.ts'
import type { BatchHandOver } from '#web/runs/shared/batch-hand-over.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { checkForm, errorsOf, firstTabWithError, isPluginField } from './crawl-errors.ts'
import type { FieldName, OptionsTab } from './crawl-errors.ts'
import { DEFAULT_FORM, formOf, hasTarget, normalised, withoutChanges } from './crawl-form.ts'
import type { CrawlForm, CrawlHandOver } from './crawl-form.ts'
import { differences, requestBody } from './crawl-request.ts'
import { formsIn, isActive, pathOfField, pluginErrors, pluginFaults, translatedForms, valueAt } from './plugin-form.ts'
import type { PluginForms, PluginValues } from './plugin-form.ts'

type CrawlFormOptions = {
  /** The crawl whose options the form begins with. */
  started: CrawlRequest | null
  onStart: (crawl: CrawlRequest) => void
  /** Shows the tab with the first error. */
  onError: (tab: OptionsTab) => void
}

export type NewCrawl = ReturnType<typeof useCrawlForm>

export function useCrawlForm({ started, onStart, onError }: CrawlFormOptions) {
  const settings = useEndpoint(getSettings).data
  const schema = useEndpoint(getPluginsSchema)
  const translate = useServerMessages()
  const plugins = schema.data ? translatedForms(formsIn(schema.data), translate) : NO_PLUGINS
  const maxConcurrency = settings?.max_crawl_concurrency ?? 16
  const isRenderingConfigured = settings?.is_rendering_configured ?? false
  const single = useAction(createCrawl, { refreshes: [listCrawls] })
  const batch = useAction(createBatchCrawl, { refreshes: [listCrawls] })

  /** The errors by the plugins' schemas. Untouched required fields count only with `all`, when the form is sent. */
  const pluginErrorsOf = ({ plugin_options }: CrawlForm, all: boolean) =>
    pluginErrors(
      plugins,
      pluginFaults(plugins, plugin_options, { all }).map(({ message, path }) => ({ path, message: translate(message) })),
    )
  const form = useForm<CrawlForm, FieldName>({
    initial: () => handedOver(maxConcurrency) ?? (started === null ? DEFAULT_FORM : formOf(started, maxConcurrency)),
    judge: (entered) => ({ ...checkForm(normalised(entered), { maxConcurrency }), ...pluginErrorsOf(entered, true) }),
    atOnce: (entered) => pluginErrorsOf(entered, false),
    submissions: [single, batch],
    serverErrors: (body) => errorsOf(body, plugins),
    opens: (wrong) => {
      const tab = firstTabWithError(wrong)
      if (tab !== null) onError(tab)
    },
  })
  const { values } = form
  useDraft('crawl', form, started !== null)

  const send = async () => {
    const body = requestBody(normalised(values), isRenderingConfigured, plugins)
    const outcome = body.urls !== undefined ? await batch.run({ body }) : await single.run({ body })
    if (outcome.ok) onStart(outcome.answer)
    else toast.error(outcome.error.message)
  }
  return {
    form,
    maxConcurrency,
    isRenderingConfigured,
    busy: single.busy || batch.busy,
    plugins,
    /** The request for the plugins' schemas. */
    schema,
    setPlugins: (plugin_options: PluginValues) =>
      form.set({ plugin_options }, changedPluginFields(Object.keys(form.shownErrors), values.plugin_options, plugin_options)),
    /** What differs from the defaults. */
    differing: differences(values, isRenderingConfigured, plugins),
    /** The request that the form would send; null without a URL. */
    body: hasTarget(values) ? requestBody(normalised(values), isRenderingConfigured, plugins) : null,
    submit: () => {
      const { url, urls } = normalised(values)
      form.set({ url, urls }, ['target'])
      form.attempt(() => void send())
    },
    /** Applies a preset's options; the URLs stay. */
    apply: (preset: CrawlPreset) => {
      const { spider_options, page_options, plugin_options } = formOf({ urls: [], crawl_type: 'single', options: preset.options })
      form.restart({ ...values, spider_options, page_options, plugin_options })
    },
    reset: () => form.restart(withoutChanges(values)),
  }
}

const NO_PLUGINS: PluginForms = {}

/** The form handed over by the details of a crawl, by the palette, or as a list of URLs. */
function handedOver(automatic: number): CrawlForm | null {
  const given = handedOverTo<CrawlForm | CrawlHandOver | BatchHandOver>('crawl')
  if (given === null || 'spider_options' in given) return given
  return 'options' in given ? formOf(given, automatic) : { ...DEFAULT_FORM, crawl_type: 'batch', urls: given.urls.join('\n') }
}

/** The plugin fields with an error whose value has changed, or whose plugin was switched off. */
const changedPluginFields = (wrong: readonly string[], before: PluginValues, next: PluginValues): string[] =>
  wrong.filter(isPluginField).filter((name) => {
    const path = pathOfField(name)
    return !isActive(next, path[0] ?? '') || valueAt(next, path) !== valueAt(before, path)
  })
