/**
 * Opens a provider's window and waits for what it comes back with.
 *
 * Our pages are isolated from windows of other origins (Cross-Origin-Opener-Policy), so the window that comes back has no opener any
 * more. It speaks over a channel that only pages of our own origin have, and is believed only when it names the state of the window
 * that was opened last.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { basePath, runtimeConfig } from '#web/state/runtime-config.ts'
import * as t from '#texts/providers.ts'
import { CHANNEL } from './provider-return.ts'
import { isReturn, providerAddress, providerRefusal, stateOf } from './providers.ts'
import type { Provider } from './providers.ts'

type Waiting = { provider: Provider; state: string }

/** @param onToken  handed what the provider gave, once for every window that was opened */
export function useProvider(onToken: (provider: Provider, token: string) => void) {
  const waiting = useRef<Waiting | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const told = useRef(onToken)
  useEffect(() => {
    told.current = onToken
  })

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || !isReturn(data) || data.state !== waiting.current?.state) return
      const { provider } = waiting.current
      waiting.current = null
      if ('token' in data) told.current(provider, data.token)
      else setFailure(providerRefusal(provider, data.error))
    })
    return () => channel.close()
  }, [])

  const begin = useCallback((provider: Provider, clientId: string) => {
    const state = stateOf(provider, randomText())
    const address = providerAddress(provider, {
      clientId,
      githubUrl: runtimeConfig.githubOauthUrl,
      base: window.location.origin + basePath,
      state,
    })
    waiting.current = { provider, state }
    const isOpen = window.open(address, '_blank', popupFeatures()) !== null
    setFailure(isOpen ? null : t.theBrowserKeptTheWindowFrom)
  }, [])

  return { begin, failure }
}

function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In the middle of the window that asks. */
function popupFeatures(): string {
  const [width, height] = [520, 680]
  const left = Math.round(window.screenX + Math.max(0, (window.outerWidth - width) / 2))
  const top = Math.round(window.screenY + Math.max(0, (window.outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
