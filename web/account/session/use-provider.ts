/**
 * Opens the sign-in window of a provider and waits for its token.
 *
 * Cross-Origin-Opener-Policy isolates our pages from other origins, so the window has lost its opener when it returns to our origin. It
 * sends the token over a BroadcastChannel, which only our own origin can open. A token is accepted only with the state of the window that
 * was opened last.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { startOidcSignIn } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { basePath, runtimeConfig } from '#web/state/runtime-config.ts'
import * as t from '#texts/providers.ts'
import { CHANNEL } from './provider-return.ts'
import { isReturn, providerUrl, providerRefusal, stateOf } from './providers.ts'
import type { Provider, ProviderKind } from './providers.ts'

/** `ticket` belongs to a sign-in with OpenID. */
type Waiting = { provider: Provider; state: string; ticket?: string }
/** The body of the sign-in. */
export type ProviderGrant = { provider: ProviderKind; token: string; iss?: string; ticket?: string }

/** @param onGrant  called once for each window that returns with a code or token */
export function useProvider(onGrant: (grant: ProviderGrant) => void) {
  const waiting = useRef<Waiting | null>(null)
  const canHear = useRef(false)
  const [failure, setFailure] = useState<string | null>(null)
  const start = useAction(startOidcSignIn)
  const grant = useEffectEvent(onGrant)

  useEffect(() => {
    const channel = openChannel()
    canHear.current = channel !== null
    channel?.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || !isReturn(data) || data.state !== waiting.current?.state) return
      const { provider, ticket } = waiting.current
      waiting.current = null
      if ('error' in data) return setFailure(providerRefusal(provider.name, data.error))
      const { iss, token } = data
      grant({ provider: provider.kind, token, ...(iss !== undefined && { iss }), ...(ticket !== undefined && { ticket }) })
    })
    return () => channel?.close()
  }, [])

  return { begin, failure, isStarting: start.busy }

  async function begin(provider: Provider) {
    if (!canHear.current) return setFailure(t.theBrowserBlocksSiteDataWhich(provider.name))
    const state = stateOf(provider.kind, randomText())
    waiting.current = { provider, state }
    const base = window.location.origin + basePath
    const url =
      provider.kind === 'oidc'
        ? ''
        : providerUrl(provider.kind, { clientId: provider.clientId, githubUrl: runtimeConfig.githubOauthUrl, base, state })
    // A browser opens a window only during the click: that of an OpenID provider stays empty until the server answers.
    const popup = window.open(url, '_blank', popupFeatures())
    setFailure(popup === null ? t.theBrowserKeptTheWindowFrom : null)
    if (popup !== null && provider.kind === 'oidc') await openAuthorization(popup, provider, state, `${base}/`)
  }

  async function openAuthorization(popup: Window, provider: Provider, state: string, redirectUri: string) {
    const outcome = await start.run({ body: { state, redirect_uri: redirectUri } })
    if (outcome.ok) {
      waiting.current = { provider, state, ticket: outcome.answer.ticket }
      popup.location.href = outcome.answer.authorization_url
    } else {
      waiting.current = null
      popup.close()
      setFailure(outcome.error.message || t.signInFailed(provider.name))
    }
  }
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
