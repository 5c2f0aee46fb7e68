/** 404: a net with a hole, and the way home. */
import { usePageTitle } from '#web/frame/layout/use-page-title.ts'
import { PATHS } from '#web/navigation.ts'
import { useHasSession } from '#web/state/session.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'

export function NotFoundScreen() {
  const hasSession = useHasSession()
  usePageTitle('Page not found')
  return (
    <main className="mesh grid min-h-dvh place-items-center bg-page">
      <EmptyState
        level="page"
        net="hole"
        title="Page not found"
        action={
          <ButtonLink look="primary" href={hasSession ? PATHS.dashboard : PATHS.login}>
            {hasSession ? 'Go to Dashboard' : 'Back to Home'}
          </ButtonLink>
        }
      >
        Sorry, we couldn&apos;t find the page you&apos;re looking for.
      </EmptyState>
    </main>
  )
}
