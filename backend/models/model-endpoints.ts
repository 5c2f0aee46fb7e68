/** The language models that teams may ask: their own endpoint, and those of the installation. Keys are stored sealed and never shown. */
import type { ModelEndpointBody, TeamModelUsage } from '#contract/models.ts'
import { USAGE_DAYS } from '#contract/usage.ts'
import type { OfferedModel } from '#backend/crawler/plugins/openai-extract.ts'
import { fieldError } from '#backend/errors.ts'
import type { Database, ModelEndpointTable } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import type { ModelSetup } from './model-setup.ts'

/** The sealing context of a team's key. */
export const keyContext = (teamId: string) => `model_endpoint:${teamId}`

/** A run's use of models. */
type RunUse = { model: string; calls: number; promptTokens: number; answerTokens: number; cost: number }

const MICROS = 1e6
const DAY_MS = 24 * 60 * 60 * 1000

export type ModelEndpoints = ReturnType<typeof createModelEndpoints>

/** @param mayAsk  whether the address guard allows a server */
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
  return { modelsOf, read, set, remove, keyFor, countUnreadable, usedBy, usedByTeam }

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
   * Sets the team's endpoint. Without a key in the body, the stored one stays if the URL is unchanged: a key is never sent to a server
   * other than the one it was given for. Throws `invalid_input` for a refused address.
   */
  async function set(teamId: string, { api_key: key, base_url, models }: ModelEndpointBody): Promise<ModelEndpointTable> {
    const baseUrl = await allowed(base_url)
    const before = await read(teamId)
    const isKept = key === undefined && before !== null && before.baseUrl === baseUrl
    if (key === undefined && !isKept && before !== null && before.sealedKey !== null)
      throw fieldError('api_key', 'Enter the key again: it belongs to the former URL.')
    const sealedKey = isKept ? before.sealedKey : key ? sealer.seal(key, keyContext(teamId)) : null
    const row = { teamId, baseUrl, sealedKey, models: JSON.stringify([...new Set(models)]), updatedAt: now() }
    await database
      .insertInto('modelEndpoint')
      .values(row)
      .onConflict((conflict) => conflict.column('teamId').doUpdateSet(row))
      .execute()
    return row
  }

  /** Removes the team's endpoint with its key; does nothing without one. */
  async function remove(teamId: string): Promise<void> {
    await database.deleteFrom('modelEndpoint').where('teamId', '=', teamId).execute()
  }

  /** Returns the URL without a final slash. Throws `invalid_input` for a refused address. */
  async function allowed(address: string): Promise<string> {
    const baseUrl = address.replace(/\/+$/, '')
    if (!(await mayAsk(baseUrl))) throw fieldError('base_url', 'This address is not allowed.')
    return baseUrl
  }

  /** URL and key of a body; without a key, the stored one, but only for the stored URL. Throws `invalid_input`. */
  async function keyFor(teamId: string, { api_key: key, base_url }: Pick<ModelEndpointBody, 'api_key' | 'base_url'>) {
    const url = await allowed(base_url)
    if (key !== undefined) return { url, apiKey: key || null }
    const row = await read(teamId)
    if (row === null || row.sealedKey === null) return { url, apiKey: null }
    if (row.baseUrl !== url) throw fieldError('api_key', 'Enter the key again: it belongs to the former URL.')
    const apiKey = sealer.tryOpen(row.sealedKey, keyContext(teamId))
    if (apiKey === null) throw fieldError('api_key', 'The stored key cannot be read any more. Enter it again.')
    return { url, apiKey }
  }

  /** Counts keys that cannot be decrypted because another secret key sealed them, up to a thousand. */
  async function countUnreadable(): Promise<number> {
    const rows = await database
      .selectFrom('modelEndpoint')
      .select(['teamId', 'sealedKey'])
      .where('sealedKey', 'is not', null)
      .limit(1000)
      .execute()
    return rows.filter(({ sealedKey, teamId }) => sealer.tryOpen(sealedKey!, keyContext(teamId)) === null).length
  }

  /** The use of models by crawls of the last 30 days, the most used model first. */
  async function usedByTeam(teamId: string): Promise<TeamModelUsage[]> {
    const rows = await database
      .selectFrom('run')
      .innerJoin('modelUse', 'modelUse.runNo', 'run.no')
      .where('run.teamId', '=', teamId)
      .where('run.createdAt', '>=', now() - USAGE_DAYS * DAY_MS)
      .groupBy('modelUse.model')
      .select(({ fn }) => [
        'modelUse.model',
        fn.countAll().as('crawls'),
        fn.sum('modelUse.calls').as('calls'),
        fn.sum('modelUse.promptTokens').as('promptTokens'),
        fn.sum('modelUse.answerTokens').as('answerTokens'),
        fn.sum('modelUse.costMicros').as('costMicros'),
      ])
      .execute()
    return rows
      .map((row) => ({
        model: row.model,
        crawls: Number(row.crawls),
        calls: Number(row.calls),
        prompt_tokens: Number(row.promptTokens),
        answer_tokens: Number(row.answerTokens),
        cost: Number(row.costMicros) / MICROS,
      }))
      .toSorted((one, other) => other.calls - one.calls || one.model.localeCompare(other.model))
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
