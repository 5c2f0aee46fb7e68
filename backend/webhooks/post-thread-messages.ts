/** The messages between the API and its sending thread. */
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { Message, Posted } from '#backend/crawler/fetch/post-message.ts'

export type PostThreadData = Pick<Parameters<typeof createEgress>[0], 'allow' | 'resolver' | 'userAgent'>

export type ToPoster =
  { type: 'post'; id: number; message: Omit<Message, 'body' | 'signal'> & { body: Uint8Array } } | { type: 'cancel'; id: number }

export type FromPoster = { id: number; posted: Posted }
