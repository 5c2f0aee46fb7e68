/** Which model a run may ask, and what it has used. Over the engine's own connection, since it cannot wait. */
import { NO_USE } from '#backend/crawler/models/model-port.ts'
import type { ModelAccess } from '#backend/crawler/models/model-port.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { keyContext } from './model-endpoints.ts'
import type { ModelSetup } from './model-setup.ts'

type Row = { base_url: string; sealed_key: string | null; models: string }
type UseRow = { calls: number; prompt_tokens: number; answer_tokens: number; cost_micros: number }

/** Costs are kept in millionths, so that small ones add up. */
const MICROS = 1e6

/** The team's own endpoint before the installation's. */
export function runModels({
  connection,
  sealer,
  setup: { operator },
}: {
  connection: SqliteConnection
  sealer: Sealer
  setup: ModelSetup
}): ModelAccess {
  const ofTeam = connection.prepare('SELECT base_url, sealed_key, models FROM model_endpoint WHERE team_id = ?')
  const used = connection.prepare('SELECT calls, prompt_tokens, answer_tokens, cost_micros FROM model_use WHERE run_no = ?')
  const add = connection.prepare(
    `INSERT INTO model_use (run_no, team_id, model, calls, prompt_tokens, answer_tokens, cost_micros)
     VALUES (:runNo, :teamId, :model, :calls, :promptTokens, :answerTokens, :micros)
     ON CONFLICT (run_no) DO UPDATE SET calls = calls + excluded.calls, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
       answer_tokens = answer_tokens + excluded.answer_tokens, cost_micros = cost_micros + excluded.cost_micros`,
  )
  return {
    endpointFor(teamId, model) {
      const row = ofTeam.get(teamId) as Row | undefined
      if (row !== undefined && (JSON.parse(row.models) as string[]).includes(model)) {
        const apiKey = row.sealed_key === null ? null : sealer.tryOpen(row.sealed_key, keyContext(teamId))
        if (row.sealed_key !== null && apiKey === null) return null
        return { id: teamId, url: row.base_url, apiKey, isOperators: false, model, price: null }
      }
      const offered = operator?.models.find(({ name }) => name === model)
      if (operator === null || offered === undefined) return null
      return { id: '', url: operator.url, apiKey: operator.apiKey, isOperators: true, model, price: offered.price }
    },
    usedBy(runNo) {
      const row = used.get(runNo) as UseRow | undefined
      if (row === undefined) return NO_USE
      const { answer_tokens: answerTokens, calls, cost_micros: micros, prompt_tokens: promptTokens } = row
      return { calls, promptTokens, answerTokens, cost: micros / MICROS }
    },
    count(runNo, teamId, model, { cost, ...use }) {
      add.run({ runNo, teamId, model, ...use, micros: Math.round(cost * MICROS) })
    },
  }
}
