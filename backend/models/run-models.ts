/** Which model a run may ask, and what it has used. */
import { NO_USE } from '#backend/crawler/models/model-port.ts'
import type { FoundEndpoint, ModelAccess, ModelUse } from '#backend/crawler/models/model-port.ts'
import type { AskRow } from '#backend/platform/database/ask-row.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { keyContext } from './model-endpoints.ts'
import type { ModelSetup } from './model-setup.ts'

type ModelRow = { base_url: string; sealed_key: string | null; models: string }
type ModelUseRow = { calls: number; prompt_tokens: number; answer_tokens: number; cost_micros: number }

/** Costs are stored in millionths, so that small ones add up. */
const MICROS = 1e6
const COUNT_AGAIN_MS = 1000

/** The team's own endpoint takes precedence over the installation's. */
export function runModels({
  ask,
  sealer,
  setup,
  warn,
}: {
  ask: AskRow
  sealer: Sealer
  setup: ModelSetup
  warn: (facts: object, message: string) => void
}) {
  /** Uses that are being written. */
  const counting = new Set<Promise<void>>()
  let isClosing = false
  const access: ModelAccess = {
    async endpointFor(teamId, model) {
      const row = await ask<ModelRow>('SELECT base_url, sealed_key, models FROM model_endpoint WHERE team_id = ?', teamId)
      return presentEndpoint(row, { teamId, model, sealer, setup })
    },
    async usedBy(runNo) {
      const row = await ask<ModelUseRow>('SELECT calls, prompt_tokens, answer_tokens, cost_micros FROM model_use WHERE run_no = ?', runNo)
      return presentUse(row)
    },
    count(...use) {
      const counted = count(...use).finally(() => counting.delete(counted))
      counting.add(counted)
    },
  }
  return {
    access,
    /** Waits for uses that are being written. */
    async close() {
      isClosing = true
      await Promise.all(counting)
    },
  }

  /** Retries until the database can be written, because the use has cost money. */
  async function count(runNo: number, teamId: string, model: string, { answerTokens, calls, cost, promptTokens }: ModelUse): Promise<void> {
    for (;;) {
      try {
        await ask(
          `INSERT INTO model_use AS known (run_no, team_id, model, calls, prompt_tokens, answer_tokens, cost_micros)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (run_no) DO UPDATE SET calls = known.calls + excluded.calls, prompt_tokens = known.prompt_tokens + excluded.prompt_tokens,
              answer_tokens = known.answer_tokens + excluded.answer_tokens, cost_micros = known.cost_micros + excluded.cost_micros
            RETURNING calls`,
          runNo,
          teamId,
          model,
          calls,
          promptTokens,
          answerTokens,
          Math.round(cost * MICROS),
        )
        return
      } catch (fault) {
        if (isClosing || !isTrouble(fault)) return warn({ err: fault, runNo, model, calls }, 'the use of a model could not be counted')
        await new Promise((resolve) => setTimeout(resolve, COUNT_AGAIN_MS))
      }
    }
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

function presentUse(row: ModelUseRow | undefined): ModelUse {
  if (row === undefined) return NO_USE
  const { answer_tokens: answerTokens, calls, cost_micros: micros, prompt_tokens: promptTokens } = row
  return { calls, promptTokens, answerTokens, cost: micros / MICROS }
}
