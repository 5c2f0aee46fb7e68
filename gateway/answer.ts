/** Any reply of Fastify: its own type depends on the server beneath. */
type Reply = { code(status: number): unknown; header(name: string, value: string): unknown; send(body: Buffer): unknown }

/** Sends JSON with exactly `application/json`. Fastify appends a charset to strings, and clients of the API would take that for another type. */
export function answerJson(reply: Reply, status: number, value: unknown) {
  reply.code(status)
  reply.header('content-type', 'application/json')
  return reply.send(Buffer.from(JSON.stringify(value)))
}

/** An error in the format of the API. */
export function answerFailure(reply: Reply, status: number) {
  return answerJson(reply, status, failureOf(status))
}

/** The body of an error; an unknown status gets a general message. */
export function failureOf(status: number) {
  return { code: status, errors: null, message: MESSAGES[status] ?? 'An unexpected error occurred.' }
}

const MESSAGES: Record<number, string> = {
  400: 'The request cannot be understood.',
  401: 'Authentication credentials were not provided.',
  403: 'You do not have permission to perform this action.',
  404: 'Not found.',
  408: 'The request took too long to arrive.',
  413: 'Request body is too large.',
  415: 'Unsupported media type in request.',
  431: 'The headers of the request are too large.',
  502: 'The backend cannot be reached.',
  503: 'The service is stopping.',
  504: 'The backend did not answer in time.',
}
