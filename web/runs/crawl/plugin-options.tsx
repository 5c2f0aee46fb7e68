/** The options of the plugins: one section for each, generated from its schema. */
import { useEffect } from 'react'
import { objectOf } from '#web/api/json-object.ts'
import type { ApiError } from '#web/api/client.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/plugins.ts'
import { PluginFields } from './plugin-field.tsx'
import { isActive, pluginField, propertyOf, titleOf } from './plugin-form.ts'
import type { PluginFieldName, PluginForms, PluginValues } from './plugin-form.ts'

export type PluginOptionsProps = {
  /** `null` until they are known. */
  forms: PluginForms | null
  fault: ApiError | undefined
  onRetry: () => void
  values: PluginValues
  onChange: (values: PluginValues) => void
  errors: Partial<Record<PluginFieldName, string>>
}

export function PluginOptions({ forms, fault, onRetry, values, onChange, errors }: PluginOptionsProps) {
  const message = forms === null ? fault?.message : undefined
  useEffect(() => {
    if (message !== undefined) toast.error(message)
  }, [message])
  if (forms === null)
    return message === undefined ? (
      <Loading>{t.loadingThePlugins}</Loading>
    ) : (
      <ErrorState title={t.thePluginsCouldNotBeLoaded} onRetry={onRetry} details={message}>
        {t.crawlsCanBeStartedWithoutThem}
      </ErrorState>
    )
  const plugins = Object.entries(forms)
  if (plugins.length === 0)
    return (
      <EmptyState net="plain" title={t.noPluginsInstalled}>
        {t.pluginsAddStepsOfTheirOwn}
      </EmptyState>
    )
  return (
    <div>
      {plugins.map(([key, schema]) => {
        const given = propertyOf(values, key)
        const entered = objectOf(given)
        const set = (next: Record<string, unknown>) => onChange({ ...values, [key]: next })
        const active = isActive(values, key)
        const { is_active: _switch, ...properties } = schema.properties
        return (
          <OptionSection key={key} title={titleOf(schema, key)} description={schema.description}>
            <div role="group" aria-label={titleOf(schema, key)} className="grid gap-5">
              <div>
                <SwitchRow
                  label={t.active}
                  description={t.runsOnEachPageOfThe}
                  checked={active}
                  onChange={(is_active) => set({ ...entered, is_active })}
                />
                <FieldError error={errors[pluginField([key])] ?? errors[pluginField([key, 'is_active'])]} className="mt-2" />
              </div>
              {active && Object.keys(properties).length > 0 && (
                <div className="border-t border-line pt-5">
                  <PluginFields
                    schema={{ ...schema, properties }}
                    path={[key]}
                    values={entered}
                    onChange={set}
                    errorAt={(path) => errors[pluginField(path)]}
                  />
                </div>
              )}
            </div>
          </OptionSection>
        )
      })}
    </div>
  )
}
