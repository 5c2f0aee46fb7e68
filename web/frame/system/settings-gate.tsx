/** Waits for the settings: they decide between the installation and the app. */
import { Suspense, lazy } from 'react'
import type { ReactNode } from 'react'
import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PublicLayout } from '#web/frame/layout/public-layout.tsx'
import { Loading } from '#web/ui/feedback/feedback.tsx'
import { SpinnerIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/system.ts'
import { ScreenBoundary } from './screen-boundary.tsx'
import { SettingsErrorScreen } from './settings-error-screen.tsx'

const InstallScreen = lazy(async () => ({ default: (await import('#web/account/install/install-screen.tsx')).InstallScreen }))

export function SettingsGate({ children }: { children: ReactNode }) {
  const { data: settings, error, isValidating, mutate } = useEndpoint(getSettings)
  if (settings?.is_installed) return children
  if (settings)
    return (
      <PublicLayout>
        <ScreenBoundary>
          <Suspense fallback={<Loading>{t.loading}</Loading>}>
            <InstallScreen onLogin={mutate} />
          </Suspense>
        </ScreenBoundary>
      </PublicLayout>
    )
  if (error) return <SettingsErrorScreen message={error.message} busy={isValidating} onRetry={() => void mutate()} />
  return (
    <main data-waits className="grid min-h-dvh place-items-center p-6">
      <p role="status" className="flex items-center gap-3 text-soft">
        <SpinnerIcon className="size-5 text-accent" />
        {t.loadingApplicationSettings}
      </p>
    </main>
  )
}
