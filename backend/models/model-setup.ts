/** The language models of the installation, from its options. */
import type { BackendConfig } from '#backend/config.ts'
import type { ModelPrice, ModelSettings } from '#backend/crawler/models/model-port.ts'

/** A model that the operator offers to all teams. */
type PricedModel = { name: string; price: ModelPrice | null }

/** Plain values: they are sent to the engine's process. */
export type ModelSetup = {
  /** Null when the operator has configured none; teams may still have their own. */
  operator: { url: string; apiKey: string | null; models: PricedModel[] } | null
  settings: ModelSettings
}

const NO_MODELS: readonly PricedModel[] = []

export function modelSetup(config: BackendConfig): ModelSetup {
  const { openaiApiKey, openaiBaseUrl, openaiModels = NO_MODELS } = config
  const operator = openaiModels.length === 0 ? null : { url: openaiBaseUrl, apiKey: openaiApiKey ?? null, models: [...openaiModels] }
  return {
    operator,
    settings: {
      origins: operator === null ? [] : [operator.url],
      concurrency: config.openaiConcurrency,
      timeoutMs: config.openaiTimeoutSeconds * 1000,
      partCharacters: config.openaiPartCharacters,
      maxTokens: config.openaiMaxTokens,
    },
  }
}
