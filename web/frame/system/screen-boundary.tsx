/**
 * Keeps the rest of the page working when a screen throws, or when its file cannot be loaded: without a connection, or because it no longer
 * exists after an upgrade of the server.
 */
import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/system.ts'

type Props = { children: ReactNode }
type State = { failure: Error | null; isOffline: boolean }

const reload = () => window.location.reload()

export class ScreenBoundary extends Component<Props, State> {
  override state: State = { failure: null, isOffline: false }

  static getDerivedStateFromError(failure: Error): State {
    return { failure, isOffline: !navigator.onLine }
  }

  override componentDidCatch() {
    if (this.state.isOffline) window.addEventListener('online', reload, { once: true })
  }

  override componentWillUnmount() {
    window.removeEventListener('online', reload)
  }

  override render() {
    const { failure, isOffline } = this.state
    if (!failure) return this.props.children
    return (
      <ErrorState level="page" title={t.thisPageCouldNotBeShown} details={failure.message} onRetry={reload}>
        {isOffline ? t.youAreOffline : t.itMayHaveBeenReplacedBy}
      </ErrorState>
    )
  }
}
