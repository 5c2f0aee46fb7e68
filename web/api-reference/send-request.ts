/** Sends a request as a program would: with an API key, without the page's session. */
import type { Request } from './request.ts'

export type Answered = {
  status: number
  statusText: string
  /** Milliseconds until the response head arrived. */
  tookMs: number
  headers: [name: string, value: string][]
  type: string
  bytes: number
  /** `body` is for display; `content` is the complete body, for saving, once it has arrived. */
  body: { kind: 'text'; text: string; isCut: boolean } | { kind: 'file'; name: string }
  content: Blob | null
  isDone: boolean
}

/** Characters of the body that are displayed. */
const MAX_SHOWN = 400_000

/**
 * Calls `tell` when the head has arrived, for an event stream also after each chunk, and when the body has ended.
 *
 * Throws the errors of `fetch`: the server cannot be reached, the connection broke, or `signal` aborted.
 */
export async function sendRequest(
  { method, url, headers, body }: Request,
  secret: string,
  signal: AbortSignal,
  tell: (answer: Answered) => void,
): Promise<void> {
  const began = performance.now()
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'X-API-Key': secret },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal,
    ...(body === undefined ? {} : { body }),
  })
  const type = response.headers.get('content-type') ?? ''
  const head = {
    status: response.status,
    statusText: response.statusText,
    tookMs: Math.round(performance.now() - began),
    headers: [...response.headers],
    type,
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const soFar = (isDone: boolean): Answered => ({
    ...head,
    bytes,
    isDone,
    body: isText(type)
      ? { kind: 'text', text: shown(type, text, isDone), isCut: text.length > MAX_SHOWN }
      : { kind: 'file', name: fileName(response.headers.get('content-disposition'), url) },
    content: isDone && bytes > 0 ? new Blob(pieces, { type }) : null,
  })
  tell(soFar(false))
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value)
    bytes += next.value.byteLength
    if (isText(type) && text.length <= MAX_SHOWN) text += decoder.decode(next.value, { stream: true })
    if (type === 'text/event-stream') tell(soFar(false))
  }
  // Without this, a body that ends within a character would lose the rest of it silently.
  if (isText(type)) text += decoder.decode()
  tell(soFar(true))
}

const isText = (type: string) => type === '' || /^text\/|json|xml/.test(type)

function shown(type: string, text: string, isDone: boolean): string {
  if (text.length > MAX_SHOWN) return text.slice(0, MAX_SHOWN)
  if (!isDone || !type.includes('json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // invalid JSON is shown as it is
  }
}

/** The file name from the server, or the last segment of the URL. */
export function fileName(disposition: string | null, url: string): string {
  const [, named] = /filename="?([^";]+)"?/i.exec(disposition ?? '') ?? []
  return named ?? new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? 'answer'
}
