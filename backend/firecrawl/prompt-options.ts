/** Options of a crawl that a language model chooses from a prompt. */
import { MAX_LIMIT } from '#contract/firecrawl/shapes.ts'
import type { ChosenOptions } from '#contract/firecrawl/shapes.ts'
import type { Message, ModelAnswer } from '#backend/crawler/models/ask-model.ts'
import type { JsonSchema } from '#backend/crawler/models/check-schema.ts'
import { fitAnswer } from '#backend/crawler/models/read-by-model.ts'
import { maskAddress } from '#backend/runs/run-secrets.ts'
import { regexFault } from './crawl-spec.ts'
import { badRequest, needsModel, Refused } from './errors.ts'

const patterns = (description: string) => ({ type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 20, description })
const flag = (description: string) => ({ type: 'boolean', description })

const SCHEMA = {
  type: 'object',
  properties: {
    includePaths: patterns('Regular expressions for the paths of the pages that are wanted, such as ^/blog/. All others are left out.'),
    excludePaths: patterns('Regular expressions for the paths of pages that are not wanted.'),
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'Most pages.' },
    maxDiscoveryDepth: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'Most links from the start page to a page.' },
    crawlEntireDomain: flag('Follow links to all paths of the host, not only to those below the start URL.'),
    allowSubdomains: flag('Follow links to subdomains.'),
    allowExternalLinks: flag('Follow links to other sites.'),
    ignoreQueryParameters: flag('Take URLs that differ only in their query for one page.'),
    sitemap: { type: 'string', enum: ['include', 'skip', 'only'], description: 'Whether pages of the sitemap are crawled, or only those.' },
  },
  additionalProperties: false,
} satisfies JsonSchema

const TASK = `You choose the options of a web crawl from a request.
Answer with one JSON object that fits the JSON Schema, and with nothing else: no explanation, no Markdown.
Leave out every option that the request does not call for. Regular expressions have no look-around and no back-references.

JSON Schema:
${JSON.stringify(SCHEMA)}`

/** Asks the first model that a team may use; null if there is none. */
export type AskFirstModel = (teamId: string, question: { messages: Message[]; schema: JsonSchema }) => Promise<ModelAnswer | null>

/** Throws `Refused` if there is no model, if it fails, or if its answer cannot be used. */
export type ChooseOptions = (teamId: string, asked: { prompt: string; url: string }) => Promise<ChosenOptions>

export function createChooseOptions({ ask }: { ask: AskFirstModel }): ChooseOptions {
  return async (teamId, { prompt, url }) => {
    const answer = await ask(teamId, {
      messages: [
        { role: 'system', content: TASK },
        // Credentials in the URL are for its site, not for the model's provider.
        { role: 'user', content: `Start URL: ${maskAddress(url)}\n\nRequest:\n${prompt}` },
      ],
      schema: SCHEMA,
    })
    if (answer === null) throw needsModel('prompt')
    if (answer.kind === 'failure')
      throw answer.fault === 'later'
        ? new Refused(500, `The language model did not answer: ${answer.detail}. Try again later, or send the options.`)
        : badRequest(`The language model chose no options: ${answer.detail}. Send the options instead.`)
    const { faults, value } = fitAnswer(SCHEMA, answer.text)
    if (faults.length > 0) throw badRequest(`The language model chose no valid options: ${faults[0]}. Send the options instead.`)
    const { excludePaths, includePaths, ...others } = value as ChosenOptions
    return {
      ...(includePaths !== undefined && { includePaths: checked(includePaths) }),
      ...(excludePaths !== undefined && { excludePaths: checked(excludePaths) }),
      ...others,
    }
  }
}

function checked(regexes: string[]): string[] {
  const wrong = regexes.find((regex) => regexFault(regex) !== null)
  if (wrong !== undefined)
    throw badRequest(`The language model chose the pattern ${JSON.stringify(wrong)}, which cannot be used. Send the options instead.`)
  return regexes
}
