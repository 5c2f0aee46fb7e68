/** Which model a run may ask, and what it has used. */
import { NO_USE } from '#backend/crawler/models/model-port.ts'
import type { FoundEndpoint, ModelAccess, ModelUse } from '#backend/crawler/models/model-port.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { keyContext } from './model-endpoints.ts'
import type { ModelSetup } from './model-setup.ts'

export type ModelRow = { base_url: string; sealed_key: string | null; models: string }
export type ModelUseRow = { calls: number; prompt_tokens: number; answer_tokens: number; cost_micros: number }

/** Costs are stored in millionths, so that small ones add up. */
const MICROS = 1e6

/** Statements for both databases, which differ in their placeholders. */
export const ENDPOINT_OF_TEAM = (team: string) => `SELECT base_url, sealed_key, models FROM model_endpoint WHERE team_id = ${team}`
export const USE_OF_RUN = (run: string) => `SELECT calls, prompt_tokens, answer_tokens, cost_micros FROM model_use WHERE run_no = ${run}`
export const ADD_USE = (
  values: string,
) => `INSERT INTO model_use AS known (run_no, team_id, model, calls, prompt_tokens, answer_tokens, cost_micros)
  VALUES (${values})
  ON CONFLICT (run_no) DO UPDATE SET calls = known.calls + excluded.calls, prompt_tokens = known.prompt_tokens + excluded.prompt_tokens,
    answer_tokens = known.answer_tokens + excluded.answer_tokens, cost_micros = known.cost_micros + excluded.cost_micros`

/** Reads over the engine's own connection. The team's own endpoint takes precedence over the installation's. */
export function runModels({ connection, sealer, setup }: { connection: SqliteConnection; sealer: Sealer; setup: ModelSetup }): ModelAccess {
  const ofTeam = connection.prepare(ENDPOINT_OF_TEAM('?'))
  const used = connection.prepare(USE_OF_RUN('?'))
  const add = connection.prepare(ADD_USE('?, ?, ?, ?, ?, ?, ?'))
  return {
    endpointFor: (teamId, model) => presentEndpoint(ofTeam.get(teamId) as ModelRow | undefined, { teamId, model, sealer, setup }),
    usedBy: (runNo) => presentUse(used.get(runNo) as ModelUseRow | undefined),
    count: (...use) => void add.run(...useValues(...use)),
  }
}

export function presentEndpoint(
  row: ModelRow | undefined,
  { model, sealer, setup, teamId }: { teamId: string; model: string; sealer: Sealer; setup: ModelSetup },
): FoundEndpoint {
  if (row !== undefined && (JSON.parse(row.models) as string[]).includes(model)) {
    const apiKey = row.sealed_key === null ? null : sealer.tryOpen(row.sealed_key, keyContext(teamId))
    if (row.sealed_key !== null && apiKey === null) return 'unreadable_key'
    return { id: teamId, url: row.base_url, apiKey, isOperators: false, model, price: null }
  }
  const { operator } = setup
  const offered = operator?.models.find(({ name }) => name === model)
  if (operator === null || offered === undefined) return null
  return { id: '', url: operator.url, apiKey: operator.apiKey, isOperators: true, model, price: offered.price }
}

export function presentUse(row: ModelUseRow | undefined): ModelUse {
  if (row === undefined) return NO_USE
  const { answer_tokens: answerTokens, calls, cost_micros: micros, prompt_tokens: promptTokens } = row
  return { calls, promptTokens, answerTokens, cost: micros / MICROS }
}

export function useValues(runNo: number, teamId: string, model: string, { answerTokens, calls, cost, promptTokens }: ModelUse) {
  return [runNo, teamId, model, calls, promptTokens, answerTokens, Math.round(cost * MICROS)]
}
