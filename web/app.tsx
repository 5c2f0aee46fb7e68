/** The whole app: settings first, then the installation or the routes; in enterprise mode the cookie banner; toasts on top. */
import { Suspense, lazy } from 'react'
import { useIsEnterprise } from './api/enterprise.ts'
import { Routes } from './routes.tsx'
import { runtimeConfig } from './state/runtime-config.ts'
import { SettingsGate } from './frame/system/settings-gate.tsx'
import { Toaster } from './ui/feedback/toaster.tsx'

const loadConsent = () => import('./frame/consent/cookie-consent.tsx')
/** If the banner cannot be loaded, the page works without it: the user is not asked, and nothing is stored or measured. */
const CookieConsent = lazy(() =>
  loadConsent().then(
    (file) => ({ default: file.CookieConsent }),
    (cause: unknown) => {
      console.warn('the cookie banner could not be loaded', cause)
      return { default: () => null }
    },
  ),
)
// The page's configuration knows before the settings arrive that the banner is needed: fetch both at once.
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
