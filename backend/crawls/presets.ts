/** Presets of a team: named crawl options. */
import type { AnswerOf } from '#contract/endpoint.ts'
import { crawlOptions } from '#contract/crawls.ts'
import type { createPreset } from '#contract/presets.ts'
import { MAX_PRESETS } from '#contract/sizes.ts'
import type * as z from 'zod/mini'
import { AppError, fieldError } from '#backend/errors.ts'
import { instant } from '#backend/http/instants.ts'
import type { CrawlPresetTable, Database, Rows, Transaction } from '#backend/platform/database/database.ts'

export type CrawlOptions = z.output<typeof crawlOptions>
type Preset = AnswerOf<typeof createPreset>

export function createPresets({ database, newId, now }: { database: Database; newId: () => string; now: () => number }) {
  return { list, create, change, remove, optionsOf }

  async function list(teamId: string): Promise<Preset[]> {
    return (await ofTeam(database, teamId).orderBy('name').execute()).map(present)
  }

  /** Throws `invalid_input` for a taken name, for headers, and beyond `MAX_PRESETS`. */
  async function create(teamId: string, { name, options }: { name: string; options: CrawlOptions }): Promise<Preset> {
    checkHeaders(options)
    const at = now()
    const row: CrawlPresetTable = { id: newId(), teamId, name, options: JSON.stringify(options), createdAt: at, updatedAt: at }
    await database.transaction().execute(async (transaction) => {
      const known = await ofTeam(transaction, teamId).execute()
      if (known.length >= MAX_PRESETS) throw fieldError('name', `A team has at most ${MAX_PRESETS} presets.`)
      await checkName(transaction, teamId, name)
      await transaction.insertInto('crawlPreset').values(row).execute()
    })
    return present(row)
  }

  /** Throws `not_found` for a preset of another team, else like `create`. */
  async function change(
    teamId: string,
    id: string,
    { name, options }: { name?: string | undefined; options?: CrawlOptions | undefined },
  ): Promise<Preset> {
    if (options !== undefined) checkHeaders(options)
    return database.transaction().execute(async (transaction) => {
      const before = await ofTeam(transaction, teamId).where('id', '=', id).executeTakeFirst()
      if (!before) throw new AppError('not_found')
      if (name !== undefined && name !== before.name) await checkName(transaction, teamId, name)
      const row = {
        ...before,
        name: name ?? before.name,
        options: options === undefined ? before.options : JSON.stringify(options),
        updatedAt: now(),
      }
      await transaction.updateTable('crawlPreset').set(row).where('id', '=', id).execute()
      return present(row)
    })
  }

  /** Throws `not_found` for a preset of another team. */
  async function remove(teamId: string, id: string): Promise<void> {
    const { numDeletedRows } = await database.deleteFrom('crawlPreset').where('teamId', '=', teamId).where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
  }

  /** The options of a preset, by its uuid or name. Throws `invalid_input` for an unknown one. */
  async function optionsOf(teamId: string, named: string): Promise<CrawlOptions> {
    const row = await ofTeam(database, teamId)
      .where((of) => of.or([of.eb('id', '=', named.toLowerCase()), of.eb('name', '=', named)]))
      .executeTakeFirst()
    if (!row) throw fieldError('preset', 'Unknown preset.')
    // Options that were added since get their default.
    return crawlOptions.parse(JSON.parse(row.options))
  }
}

export type Presets = ReturnType<typeof createPresets>

const ofTeam = (rows: Rows, teamId: string) => rows.selectFrom('crawlPreset').selectAll().where('teamId', '=', teamId)

async function checkName(transaction: Transaction, teamId: string, name: string): Promise<void> {
  const taken = await ofTeam(transaction, teamId).where('name', '=', name).executeTakeFirst()
  if (taken) throw fieldError('name', 'The team has a preset of this name.')
}

function checkHeaders({ page_options: { extra_headers } }: CrawlOptions): void {
  if (Object.keys(extra_headers).length === 0) return
  const message = 'Headers are not kept in presets.'
  throw new AppError('invalid_input', { fields: { options: { page_options: { extra_headers: [message] } } } })
}

const present = ({ id, name, options, createdAt, updatedAt }: CrawlPresetTable): Preset => ({
  uuid: id,
  name,
  options: JSON.parse(options) as Preset['options'],
  created_at: instant(createdAt),
  updated_at: instant(updatedAt),
})
