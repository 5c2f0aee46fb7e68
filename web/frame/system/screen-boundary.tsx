/** Keeps the rest of the page working when a screen throws, or when its file no longer exists after an upgrade of the server. */
import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/system.ts'

type Props = { children: ReactNode }
type State = { failure: Error | null }

export class ScreenBoundary extends Component<Props, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(failure: Error): State {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    return (
      <ErrorState title={t.thisPageCouldNotBeShown} details={failure.message} onRetry={() => window.location.reload()}>
        {t.itMayHaveBeenReplacedBy}
      </ErrorState>
    )
  }
}
