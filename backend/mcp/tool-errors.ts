/** Error messages of tools for agents: what is wrong, and what to do next. */
import { AppError } from '#backend/errors.ts'
import type { ErrorCode } from '#backend/errors.ts'
import { flatMessages, messagesOf } from '#backend/http/error-messages.ts'
import { asAppError } from '#backend/http/reply.ts'
import { text } from './tool.ts'
import type { ToolResult } from './tool.ts'

const NEXT: { [code in ErrorCode]?: string } = {
  invalid_input: 'Correct these arguments and call the tool again.',
  not_found: 'Check the id or uri: it must be one that a tool of this server returned, and its crawl must not be deleted.',
  no_active_plan: 'The team has no plan: tell the user, who can choose one in the dashboard. Do not try again.',
  plan_limit: 'Ask for less (a smaller limit or max_depth), or tell the user that the credits or limits of the plan are used up.',
  throttled: 'Wait, then call the tool again, with fewer calls at once.',
  page_late: 'Call scrape again with a larger timeout_seconds, or start a crawl of the page and read its status later.',
  storage_full: 'Nothing can be stored now: tell the user that the disk of the server is full.',
  unavailable: 'Wait a few seconds and call the tool again.',
}

/** Advice by the outcome of a page that could not be read. */
const NEXT_OF_PAGE: Readonly<Record<string, string>> = {
  robots: 'The site does not allow this page to be crawled: use another page or another source. Do not try again.',
  refused_address: 'This server does not fetch such addresses: use a public URL.',
  dns: 'The host does not exist: check the spelling of the URL, or find the right URL by a search.',
  status: 'The site answered with an error: check the URL, or find another page with map.',
  unsupported_type: 'The document is of a type that cannot be read as text: use another source.',
  timeout: 'The site did not answer in time: try once more, or use another source.',
}

/** Converts an error to a tool's result, which the agent can act on. Unexpected errors are reported without details. */
export function errorResult(thrown: unknown): ToolResult {
  const error = thrown instanceof AppError ? thrown : asAppError(thrown)
  const messages = messagesOf(error).map(asArgument)
  const said = messages.length === 0 ? error.message : `${error.message} ${messages.join(' ')}`
  const wait = error.retryAfterSeconds === null ? '' : ` Try again in ${error.retryAfterSeconds} s.`
  const next = nextOf(error)
  return { isError: true, content: [text(`${said}${wait}${next === '' ? '' : `\n\nNext: ${next}`}`)] }
}

/** The path of an option in the API's body; tools have the option itself as an argument. */
const OPTION_PATH = /^options\.(?:spider_options|page_options|plugin_options\.\w+)\./
/** Arguments that have another name than their option. */
const ARGUMENTS: Readonly<Record<string, string>> = { extractor_schema: 'schema', page_limit: 'limit' }

/** A message about an option as one about the argument: `options.spider_options.page_limit: …` is `limit: …`. */
const asArgument = (message: string): string =>
  OPTION_PATH.test(message) ? message.replace(OPTION_PATH, '').replace(/^\w+/, (name) => ARGUMENTS[name] ?? name) : message

/** Whether the error is a bug, which belongs in the log. */
export const isUnexpected = (thrown: unknown): boolean => asAppError(thrown).code === 'unexpected'

function nextOf(error: AppError): string {
  if (error.code !== 'page_unreadable') return NEXT[error.code] ?? ''
  const [reason = ''] = flatMessages(error.fields?.['url'] ?? [])
  const outcome = /^\w+/.exec(reason)?.[0] ?? ''
  return NEXT_OF_PAGE[outcome] ?? 'Try once more; when that fails too, use another source.'
}
