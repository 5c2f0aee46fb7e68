/**
 * Opens the sign-in window of a provider and waits for its token.
 *
 * Cross-Origin-Opener-Policy isolates our pages from other origins, so the window has lost its opener when it returns to our origin. It
 * sends the token over a BroadcastChannel, which only our own origin can open. A token is accepted only with the state of the window that
 * was opened last.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { basePath, runtimeConfig } from '#web/state/runtime-config.ts'
import * as t from '#texts/providers.ts'
import { CHANNEL } from './provider-return.ts'
import { isReturn, PROVIDER_NAMES, providerUrl, providerRefusal, stateOf } from './providers.ts'
import type { Provider } from './providers.ts'

type Waiting = { provider: Provider; state: string }

/** @param onToken  called with the provider's token, once for each window */
export function useProvider(onToken: (provider: Provider, token: string) => void) {
  const waiting = useRef<Waiting | null>(null)
  const canHear = useRef(false)
  const [failure, setFailure] = useState<string | null>(null)
  const told = useRef(onToken)
  useEffect(() => {
    told.current = onToken
  })

  useEffect(() => {
    const channel = openChannel()
    canHear.current = channel !== null
    channel?.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || !isReturn(data) || data.state !== waiting.current?.state) return
      const { provider } = waiting.current
      waiting.current = null
      if ('token' in data) told.current(provider, data.token)
      else setFailure(providerRefusal(provider, data.error))
    })
    return () => channel?.close()
  }, [])

  const begin = useCallback((provider: Provider, clientId: string) => {
    if (!canHear.current) return setFailure(t.theBrowserBlocksSiteDataWhich(PROVIDER_NAMES[provider]))
    const state = stateOf(provider, randomText())
    const url = providerUrl(provider, {
      clientId,
      githubUrl: runtimeConfig.githubOauthUrl,
      base: window.location.origin + basePath,
      state,
    })
    waiting.current = { provider, state }
    const isOpen = window.open(url, '_blank', popupFeatures()) !== null
    setFailure(isOpen ? null : t.theBrowserKeptTheWindowFrom)
  }, [])

  return { begin, failure }
}

/** Null where the browser refuses it: Firefox does when it blocks site data. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return null
  }
}

function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Centres the popup over the window that opens it. */
function popupFeatures(): string {
  const [width, height] = [520, 680]
  const left = Math.round(window.screenX + Math.max(0, (window.outerWidth - width) / 2))
  const top = Math.round(window.screenY + Math.max(0, (window.outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
