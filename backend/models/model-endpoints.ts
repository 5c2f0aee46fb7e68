/** The language models that teams may ask: their own endpoint, and those of the installation. Keys are kept sealed and never shown. */
import type { ModelEndpointBody } from '#contract/models.ts'
import type { OfferedModel } from '#backend/crawler/plugins/openai-extract.ts'
import { fieldError } from '#backend/errors.ts'
import type { Database, ModelEndpointTable } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import type { ModelSetup } from './model-setup.ts'

/** What a key is sealed for. */
export const keyContext = (teamId: string) => `model_endpoint:${teamId}`

/** What a run has used of models. */
export type RunUse = { model: string; calls: number; promptTokens: number; answerTokens: number; cost: number }

const MICROS = 1e6

export type ModelEndpoints = ReturnType<typeof createModelEndpoints>

/** @param mayAsk  whether the address door lets a server be asked */
export function createModelEndpoints({
  database,
  mayAsk,
  now,
  operator,
  sealer,
}: {
  database: Database
  mayAsk: (url: string) => Promise<boolean>
  now: () => number
  operator: ModelSetup['operator']
  sealer: Sealer
}) {
  return { modelsOf, read, set, remove, usedBy }

  /** The models that a team may ask, its own first. */
  async function modelsOf(teamId: string): Promise<OfferedModel[]> {
    const row = await read(teamId)
    const own = row === null ? [] : modelNames(row)
    const others = (operator?.models ?? []).filter(({ name }) => !own.includes(name))
    return [...own.map((name) => ({ name, hasPrice: false })), ...others.map(({ name, price }) => ({ name, hasPrice: price !== null }))]
  }

  /** The team's own endpoint; null when it has none. */
  async function read(teamId: string): Promise<ModelEndpointTable | null> {
    return (await database.selectFrom('modelEndpoint').selectAll().where('teamId', '=', teamId).executeTakeFirst()) ?? null
  }

  /**
   * Sets the team's endpoint. Without a key in the body the stored one stays, as long as the address does: a key is never sent to
   * another server than the one that it was given for. Throws `invalid_input` for an address that may not be asked.
   */
  async function set(teamId: string, { api_key: key, base_url, models }: ModelEndpointBody): Promise<ModelEndpointTable> {
    const baseUrl = base_url.replace(/\/+$/, '')
    if (!(await mayAsk(baseUrl))) throw fieldError('base_url', 'This address is not allowed.')
    const before = await read(teamId)
    const isKept = key === undefined && before !== null && before.baseUrl === baseUrl
    if (key === undefined && !isKept && before !== null && before.sealedKey !== null)
      throw fieldError('api_key', 'Enter the key again: it belongs to the former address.')
    const sealedKey = isKept ? before.sealedKey : key ? sealer.seal(key, keyContext(teamId)) : null
    const row = { teamId, baseUrl, sealedKey, models: JSON.stringify([...new Set(models)]), updatedAt: now() }
    await database
      .insertInto('modelEndpoint')
      .values(row)
      .onConflict((conflict) => conflict.column('teamId').doUpdateSet(row))
      .execute()
    return row
  }

  /** Removes the team's endpoint with its key; where there is none nothing happens. */
  async function remove(teamId: string): Promise<void> {
    await database.deleteFrom('modelEndpoint').where('teamId', '=', teamId).execute()
  }

  /** Null when the run has asked no model. */
  async function usedBy(runNo: number): Promise<RunUse | null> {
    const row = await database.selectFrom('modelUse').selectAll().where('runNo', '=', runNo).executeTakeFirst()
    if (row === undefined) return null
    const { answerTokens, calls, costMicros, model, promptTokens } = row
    return { model, calls, promptTokens, answerTokens, cost: costMicros / MICROS }
  }
}

export const modelNames = ({ models }: ModelEndpointTable): string[] => JSON.parse(models) as string[]
