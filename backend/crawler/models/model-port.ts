/** What the engine must be told of language models: who may be asked for a team, and what has been used. */

/** A model behind an OpenAI-compatible address. Key and address belong together: neither is ever used with another. */
export type ModelEndpoint = {
  /** Names the endpoint: its pace, and what was learned of it. */
  id: string
  /** Such as `https://api.openai.com/v1`, without a last slash. */
  url: string
  apiKey: string | null
  /** Named by the operator, who may mean a server of the own network; a team's goes through the address door. */
  isOperators: boolean
  model: string
  price: ModelPrice | null
}

/** For a million tokens, in the operator's currency. */
export type ModelPrice = { input: number; output: number }

export type ModelUse = { calls: number; promptTokens: number; answerTokens: number; cost: number }
export const NO_USE: ModelUse = { calls: 0, promptTokens: 0, answerTokens: 0, cost: 0 }

export type ModelAccess = {
  /** Null when the team may not ask this model, or its key does not open. */
  endpointFor: (teamId: string, model: string) => ModelEndpoint | null | Promise<ModelEndpoint | null>
  /** What a run has used so far. */
  usedBy: (runNo: number) => ModelUse | Promise<ModelUse>
  /** Counts what one call used; it is paid for, whatever becomes of the page. */
  count: (runNo: number, teamId: string, model: string, use: ModelUse) => void
}

/** What the operator set, as plain values. */
export type ModelSettings = {
  /** Addresses of the operator's own endpoints. */
  origins: readonly string[]
  /** Calls at once, of all teams. */
  concurrency: number
  /** Most milliseconds of one call. */
  timeoutMs: number
  /** Most characters of a page in one call. */
  partCharacters: number
  /** Most tokens that a crawl may use. */
  maxTokens: number
}

/** What one call costs. */
export const costOf = (price: ModelPrice | null, promptTokens: number, answerTokens: number): number =>
  price === null ? 0 : (promptTokens * price.input + answerTokens * price.output) / 1e6
