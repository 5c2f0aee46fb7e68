/** What the engine needs to know about language models: which endpoints a team may ask, and what was used. */

/** A model at an OpenAI-compatible URL. Key and URL belong together: a key is never sent to another URL. */
export type ModelEndpoint = {
  /** Identifies the endpoint for its pace and its dialect. */
  id: string
  /** Such as `https://api.openai.com/v1`, without a last slash. */
  url: string
  apiKey: string | null
  /** Configured by the operator, so it may be in the internal network; a team's endpoint goes through the address guard. */
  isOperators: boolean
  model: string
  price: ModelPrice | null
}

/** Per million tokens, in the operator's currency. */
export type ModelPrice = { input: number; output: number }

export type ModelUse = { calls: number; promptTokens: number; answerTokens: number; cost: number }
export const NO_USE: ModelUse = { calls: 0, promptTokens: 0, answerTokens: 0, cost: 0 }

/** Null when the team may not ask the model; `unreadable_key` when another secret key encrypted the key of the team's endpoint. */
export type FoundEndpoint = ModelEndpoint | 'unreadable_key' | null

export type ModelAccess = {
  endpointFor: (teamId: string, model: string) => FoundEndpoint | Promise<FoundEndpoint>
  /** What a run has used. */
  usedBy: (runNo: number) => ModelUse | Promise<ModelUse>
  /** Counts what one call used: it costs money even if its page is lost. */
  count: (runNo: number, teamId: string, model: string, use: ModelUse) => void
}

/** The operator's settings, as plain values. */
export type ModelSettings = {
  /** URLs of the operator's own endpoints. */
  origins: readonly string[]
  /** Calls at once, for all teams together. */
  concurrency: number
  /** Most milliseconds of one call. */
  timeoutMs: number
  /** Most characters of a page in one call. */
  partCharacters: number
  /** Most tokens of a crawl. */
  maxTokens: number
}

/** The cost of one call. */
export const costOf = (price: ModelPrice | null, promptTokens: number, answerTokens: number): number =>
  price === null ? 0 : (promptTokens * price.input + answerTokens * price.output) / 1e6
