/**
 * Has a model extract data from the pages of one crawl. Each page waits for its own extraction; if that fails, the page is kept without it.
 * The crawl stops asking when no model can be asked, when it fails again and again, or when the budget is used up.
 */
import { wholeRun } from '#backend/store/run-parts.ts'
import { costOf } from '#backend/crawler/models/model-port.ts'
import type { ModelAccess, ModelEndpoint, ModelUse } from '#backend/crawler/models/model-port.ts'
import { readByModel } from '#backend/crawler/models/read-by-model.ts'
import type { ModelBudget, ModelMeans } from '#backend/crawler/models/read-by-model.ts'
import { writeDocument, readDocument, unpackBodyOutside } from '#backend/crawler/page/page-body.ts'
import type { StoredDocument } from '#backend/crawler/page/page-body.ts'
import type { ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { OPENAI_EXTRACT, modelWish } from '#backend/crawler/plugins/openai-extract.ts'
import type { ModelWish } from '#backend/crawler/plugins/openai-extract.ts'
import type { ActivePlugin } from '#backend/crawler/plugins/plugin.ts'
import type { FeedType } from '#contract/runs.ts'

/** Access to models, for crawls that ask them. */
export type RunModels = { access: ModelAccess; means: ModelMeans }

/** After so many failures in a row the crawl stops asking. */
const MOST_FAILURES_IN_ROW = 5
/** How often the database is asked again while it does not answer. */
const LOOK_UP_AGAIN_MS = 1000
const MOST_LOOK_UPS = 60

/**
 * Null when the crawl asks no model.
 *
 * @param models  null when none is configured
 */
export function createCrawlExtraction({
  feed,
  models,
  plugins,
  run,
  signal,
}: {
  feed: (type: FeedType, message: string, metadata?: Record<string, unknown>) => void
  models: RunModels | null
  plugins: readonly ActivePlugin[]
  run: { runNo: number; teamId: string; share: string }
  signal: AbortSignal
}) {
  const wish = modelWish(plugins)
  if (wish === null) return null
  let endpoint: ModelEndpoint | null = null
  let budget: ModelBudget | null = null
  /** Why extraction has stopped; null while it goes on. */
  let stopped: string | null = null
  const opened = open(wish)
  let hasSaidWhy = false
  let failuresInRow = 0
  let inProgress = 0
  return {
    /** False when further pages would only queue. */
    hasRoom: () => inProgress < 2 * (models?.means.queue.slots ?? 1) + 2,
    read,
  }

  /** Looks up the model to ask and the tokens that the run has used. Pages wait while the database does not answer. */
  async function open(asked: ModelWish): Promise<void> {
    if (models === null) {
      stopped = 'it is not configured'
      return
    }
    for (let tries = 0; tries < MOST_LOOK_UPS && !signal.aborted; tries += 1) {
      try {
        const found = await models.access.endpointFor(run.teamId, asked.model)
        if (found === null) stopped = 'it is not configured'
        else if (found === 'unreadable_key') stopped = 'its key cannot be decrypted; enter it again in the settings of the team'
        else {
          endpoint = found
          budget = createBudget(models, asked, endpoint, run, await models.access.usedBy(wholeRun(run.runNo)))
        }
        return
      } catch {
        await pause(LOOK_UP_AGAIN_MS, signal)
      }
    }
    stopped = 'it could not be looked up'
  }

  /** The page with the model's extraction; unchanged when that failed. */
  async function read(page: ParsedPage, url: string): Promise<ParsedPage> {
    await opened
    if (stopped !== null) {
      saysWhy()
      return page
    }
    inProgress += 1
    try {
      return await readPage(page, url)
    } finally {
      inProgress -= 1
    }
  }

  async function readPage(page: ParsedPage, url: string): Promise<ParsedPage> {
    const document = readDocument(await unpackBodyOutside(page))
    const { markdown } = document
    if (typeof markdown !== 'string' || markdown.trim() === '') return page
    const reading = await readByModel(models!.means, {
      budget: budget!,
      page: { url, markdown },
      share: run.share,
      signal,
      task: { endpoint: endpoint!, schema: wish!.schema, prompt: wish!.prompt, maxMs: wish!.maxSeconds * 1000 },
    })
    if (reading.kind === 'read') {
      failuresInRow = 0
      for (const note of reading.notes) feed('warning', `${url}: ${note}`, { url })
      return repacked(page, withExtraction(document, reading.value, plugins.length > 1))
    }
    if (reading.kind === 'used_up') stopped ??= 'the crawl has used up its tokens or its money'
    else if (reading.fault !== 'canceled') {
      failuresInRow += 1
      if (reading.fault === 'endpoint') stopped ??= reading.detail
      else if (failuresInRow >= MOST_FAILURES_IN_ROW) stopped ??= `it failed on ${MOST_FAILURES_IN_ROW} pages in a row`
      const fault = { plugin: OPENAI_EXTRACT, detail: reading.detail }
      return { ...page, pluginFaults: [...(page.pluginFaults ?? []), fault] }
    }
    saysWhy()
    return page
  }

  function saysWhy() {
    if (hasSaidWhy || stopped === null || signal.aborted) return
    hasSaidWhy = true
    feed('warning', `The model ${wish!.model} is no longer called, and pages are kept without extraction: ${stopped}`)
  }
}

/** Enforces the run's token limits and the operator's. Tokens of open questions count as used. */
function createBudget(
  { access, means }: RunModels,
  wish: ModelWish,
  { model, price }: ModelEndpoint,
  run: { runNo: number; teamId: string },
  before: ModelUse,
) {
  const maxTokens = Math.min(wish.maxTokens ?? Infinity, means.settings.maxTokens)
  const maxCost = price === null ? Infinity : (wish.maxCost ?? Infinity)
  let tokens = before.promptTokens + before.answerTokens
  let cost = before.cost
  return {
    take(taken, takenCost) {
      if (tokens + taken > maxTokens || cost + takenCost > maxCost) return false
      tokens += taken
      cost += takenCost
      return true
    },
    settle(taken, takenCost, use: ModelUse | null) {
      tokens -= taken
      cost -= takenCost
      if (use === null) return
      tokens += use.promptTokens + use.answerTokens
      cost += costOf(price, use.promptTokens, use.answerTokens)
      access.count(wholeRun(run.runNo), run.teamId, model, use)
    },
  } satisfies ModelBudget
}

/** Adds the extraction under this plugin's key when several plugins give data; alone, it is the value itself. */
function withExtraction(document: StoredDocument, value: unknown, isOneOfSeveral: boolean): StoredDocument {
  const others = document['extraction']
  const extraction = isOneOfSeveral ? { ...(others as object | undefined), [OPENAI_EXTRACT]: value } : value
  return { ...document, extraction }
}

function repacked(page: ParsedPage, { markdown, metadata, ...others }: StoredDocument): ParsedPage {
  return { ...page, ...writeDocument(metadata, markdown, JSON.stringify(others)) }
}
