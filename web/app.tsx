/** The whole app: settings first, then the installation or the routes; in enterprise mode the cookie banner; toasts on top. */
import { Suspense, lazy } from 'react'
import { useIsEnterprise } from './api/enterprise.ts'
import { Routes } from './routes.tsx'
import { runtimeConfig } from './state/runtime-config.ts'
import { SettingsGate } from './frame/system/settings-gate.tsx'
import { Toaster } from './ui/feedback/toaster.tsx'

const loadConsent = () => import('./frame/consent/cookie-consent.tsx')
/** If it cannot be loaded, the user is not asked, and nothing is stored or measured; the page works without it. */
const CookieConsent = lazy(() =>
  loadConsent().then(
    (file) => ({ default: file.CookieConsent }),
    (cause: unknown) => {
      console.warn('the question about cookies could not be loaded', cause)
      return { default: () => null }
    },
  ),
)
// When the page knows that it will be needed, it is fetched beside the settings.
if (runtimeConfig.enterpriseMode) loadConsent().catch(() => undefined)

export function App() {
  return (
    <>
      <SettingsGate>
        <Routes />
        <Consent />
      </SettingsGate>
      <Toaster />
    </>
  )
}

function Consent() {
  if (!useIsEnterprise()) return null
  return (
    <Suspense fallback={null}>
      <CookieConsent />
    </Suspense>
  )
}
