/** Converts the entered values of a call to a request and to a shell command. Pure. */
import type { ApiParameter } from '#contract/reference.ts'
import { shellWord } from '#web/runs/shared/code-samples.ts'
import * as t from '#texts/reference.ts'
import type { Call } from './document.ts'

/** Values by `in` and name of the parameter, and the body as text; '' is not sent. */
export type Draft = { values: Readonly<Record<string, string>>; body: string }

export const keyOf = ({ in: place, name }: Pick<ApiParameter, 'in' | 'name'>) => `${place} ${name}`

export type Request = { method: string; url: string; headers: Record<string, string>; body: string | undefined }

/** The request. An empty path parameter keeps its braces, so that users see what is missing. */
export function requestOf({ method, path, operation }: Call, { values, body }: Draft, base: string): Request {
  const parameters = operation.parameters ?? []
  const filled = (parameter: ApiParameter) => values[keyOf(parameter)]?.trim() ?? ''
  const at = (place: ApiParameter['in']) => parameters.filter((parameter) => parameter.in === place && filled(parameter) !== '')
  const where = at('path').reduce((url, parameter) => url.replace(`{${parameter.name}}`, () => encodeURIComponent(filled(parameter))), path)
  const query = new URLSearchParams(at('query').map((parameter) => [parameter.name, filled(parameter)]))
  const sendsBody = operation.requestBody !== undefined && body.trim() !== ''
  return {
    method,
    url: base.replace(/\/$/, '') + where + (query.size > 0 ? `?${query}` : ''),
    headers: {
      ...Object.fromEntries(at('header').map((parameter) => [parameter.name, filled(parameter)])),
      ...(sendsBody && { 'Content-Type': 'application/json' }),
    },
    body: sendsBody ? body : undefined,
  }
}

/** The parameters without which the call cannot be sent. */
export const missingOf = ({ operation }: Call, { values }: Draft): ApiParameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.required && !values[keyOf(parameter)]?.trim())

/** The error of a body; undefined when it is JSON or empty. */
export function bodyFault(body: string): string | undefined {
  if (body.trim() === '') return undefined
  try {
    JSON.parse(body)
    return undefined
  } catch (fault) {
    return t.thisIsNotJSON(fault instanceof Error ? fault.message : String(fault))
  }
}

const FLAGS: Readonly<Record<string, string>> = { 'text/event-stream': ' -N', 'application/zip': ' -OJ' }

/** The request as a curl command. `type` is the media type of the answer. */
export function curlOf({ method, url, headers, body }: Request, secret: string, type = 'application/json'): string {
  return [
    `curl${FLAGS[type] ?? ''}${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(url)}`,
    `-H ${shellWord(`X-API-Key: ${secret}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${shellWord(body)}`]),
  ].join(' \\\n  ')
}
