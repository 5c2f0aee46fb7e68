/** 404: a net with a hole, and a link home. */
import { usePageTitle } from '#web/frame/layout/use-page-title.ts'
import { PATHS } from '#web/navigation.ts'
import { useHasSession } from '#web/state/session.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/system.ts'

export function NotFoundScreen() {
  const hasSession = useHasSession()
  usePageTitle(t.pageNotFound)
  return (
    <main className="mesh grid min-h-dvh place-items-center bg-page">
      <EmptyState
        level="page"
        net="hole"
        title={t.pageNotFound}
        action={
          <ButtonLink look="primary" href={hasSession ? PATHS.dashboard : PATHS.login}>
            {hasSession ? t.goToDashboard : t.backToHome}
          </ButtonLink>
        }
      >
        {t.sorryWeCouldntFindThePage}
      </EmptyState>
    </main>
  )
}
