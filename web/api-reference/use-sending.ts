/** Sends the request of a call and follows its answer, until it has ended or the user stops it. */
import { useEffect, useRef, useState } from 'react'
import type { Request } from './request.ts'
import { sendRequest } from './send-request.ts'
import type { Answered } from './send-request.ts'

export type Sending = { state: 'none' } | { state: 'under way' | 'ended' | 'stopped' | 'failed'; answer: Answered | null }

/** @param secret  the key to send with; nothing is sent without one */
export function useSending(request: Request, secret: string | undefined) {
  const [sending, setSending] = useState<Sending>({ state: 'none' })
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

  async function send() {
    if (secret === undefined) return
    const own = new AbortController()
    control.current = own
    let latest: Answered | null = null
    setSending({ state: 'under way', answer: null })
    try {
      await sendRequest(request, secret, own.signal, (told) => {
        latest = told
        if (!own.signal.aborted) setSending({ state: 'under way', answer: told })
      })
      setSending({ state: 'ended', answer: latest })
    } catch {
      // The browser does not say why a request failed.
      setSending({ state: own.signal.aborted ? 'stopped' : 'failed', answer: latest })
    }
  }
  return { sending, send, stop: () => control.current?.abort() }
}
