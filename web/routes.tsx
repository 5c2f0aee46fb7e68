/** Maps paths to screens, with layout and guard. A screen and its own modules are loaded when it is first opened. */
import { Suspense, lazy } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import * as t from '#texts/routes.ts'
import type { RunDetails, RunKind } from './runs/logs/run-kind.ts'
import type { AnyRun } from './runs/shared/run-base.ts'
import { useIsEnterprise } from './api/enterprise.ts'
import { PublicLayout } from './frame/layout/public-layout.tsx'
import { usePageTitle } from './frame/layout/use-page-title.ts'
import { PATHS, trailOf } from './navigation.ts'
import type { PathName } from './navigation.ts'
import { takeReturn } from './account/session/provider-return.ts'
import type { ProviderReturn } from './account/session/provider-return.ts'
import { currentPlace, placeAfterSignIn, returningTo } from './account/session/place-after-sign-in.ts'
import { useHasSession } from './state/session.ts'
import { NotFoundScreen } from './frame/system/not-found-screen.tsx'
import { ScreenBoundary } from './frame/system/screen-boundary.tsx'
import { Loading } from './ui/feedback/feedback.tsx'

/** A lazily loaded component. `load` starts to fetch it before it is rendered. */
const later = (load: () => Promise<ComponentType>) =>
  Object.assign(
    lazy(async () => ({ default: await load() })),
    { load },
  )
type Later = ReturnType<typeof later>

/** The frame of the dashboard is not loaded for signed-out users. */
const DashboardLayout = lazy(async () => {
  // Fetch the screen together with its frame. If that fails, rendering it shows the error.
  screenAt(window.location.pathname)
    ?.load?.()
    .catch(() => undefined)
  return { default: (await import('./frame/layout/dashboard-layout.tsx')).DashboardLayout }
})
const FirstThings = later(async () => (await import('./frame/layout/first-things.tsx')).FirstThings)

/** The log and the details of a kind of run. */
const logOf = <Run extends AnyRun>(load: () => Promise<RunKind<Run>>) =>
  later(async () => {
    const [{ LogScreen }, kind] = await Promise.all([import('./runs/logs/log-screen.tsx'), load()])
    return () => <LogScreen kind={kind} />
  })
const detailsOf = <Run extends AnyRun>(load: () => Promise<RunKind<Run>>, loadContent: () => Promise<RunDetails<Run>>) =>
  later(async () => {
    const [{ DetailsScreen }, kind, Content] = await Promise.all([import('./runs/logs/details-screen.tsx'), load(), loadContent()])
    return () => <DetailsScreen kind={kind} Content={Content} />
  })

const crawlKind = async () => (await import('./runs/logs/crawl-kind.tsx')).crawlKind
const searchKind = async () => (await import('./runs/logs/search-kind.tsx')).searchKind
const sitemapKind = async () => (await import('./runs/logs/sitemap-kind.tsx')).sitemapKind

const ProviderReturnScreen = lazy(async () => {
  const { ProviderReturnScreen: Screen } = await import('./account/session/provider-return-screen.tsx')
  return { default: Screen as ComponentType<{ found: ProviderReturn }> }
})
const LoginScreen = later(async () => (await import('./account/session/login-screen.tsx')).LoginScreen)

type PublicName = 'register' | 'forgotPassword' | 'resetPassword' | 'verifyEmail' | 'paymentCallback'

const PUBLIC: Record<PublicName, { title: string; Content: ComponentType }> = {
  register: { title: t.createAnAccount, Content: later(async () => (await import('./account/session/sign-up-screen.tsx')).SignUpScreen) },
  forgotPassword: {
    title: t.forgotYourPassword,
    Content: later(async () => (await import('./account/session/forgot-password-screen.tsx')).ForgotPasswordScreen),
  },
  resetPassword: {
    title: t.setANewPassword,
    Content: later(async () => (await import('./account/session/reset-password-screen.tsx')).ResetPasswordScreen),
  },
  verifyEmail: {
    title: t.verifyYourEmail,
    Content: later(async () => (await import('./account/session/verify-email-screen.tsx')).VerifyEmailScreen),
  },
  paymentCallback: {
    title: t.payment,
    Content: later(async () => (await import('./team/plans/payment-callback-screen.tsx')).PaymentCallbackScreen),
  },
}

/** The result of a provider's window, removed from the address bar before anything else can read it there. */
const providerReturn = takeReturn()

const DASHBOARD: Partial<Record<PathName, ComponentType & Partial<Later>>> = {
  dashboard: later(async () => (await import('./home/home-screen.tsx')).HomeScreen),
  crawl: later(async () => (await import('./runs/crawl/crawl-screen.tsx')).CrawlScreen),
  schedules: later(async () => (await import('./runs/schedules/schedules-screen.tsx')).SchedulesScreen),
  crawlLogs: logOf(crawlKind),
  crawlDetails: detailsOf(crawlKind, async () => (await import('./runs/crawl/crawl-details.tsx')).CrawlDetails),
  search: later(async () => (await import('./runs/search/search-screen.tsx')).SearchScreen),
  sitemap: later(async () => (await import('./runs/sitemap/sitemap-screen.tsx')).SitemapScreen),
  searchLogs: logOf(searchKind),
  searchDetails: detailsOf(searchKind, async () => (await import('./runs/search/search-details.tsx')).SearchDetails),
  sitemapLogs: logOf(sitemapKind),
  sitemapDetails: detailsOf(sitemapKind, async () => (await import('./runs/sitemap/sitemap-details.tsx')).SitemapDetails),
  usage: later(async () => (await import('./team/usage/usage-screen.tsx')).UsageScreen),
  apiKeys: later(async () => (await import('./team/teams/api-keys-screen.tsx')).ApiKeysScreen),
  settings: later(async () => (await import('./team/settings/settings-screen.tsx')).SettingsScreen),
  profile: later(async () => (await import('./account/profile/profile-screen.tsx')).ProfileScreen),
  apiReference: later(async () => (await import('./api-reference/api-reference-screen.tsx')).ApiReferenceScreen),
  plans: later(async () => (await import('./team/plans/plans-screen.tsx')).PlansScreen),
}

/** Without enterprise mode these paths do not exist. */
const ENTERPRISE_ONLY: readonly string[] = ['plans'] satisfies PathName[]

export function Routes() {
  const isEnterprise = useIsEnterprise()
  return (
    <Switch>
      <Route path={PATHS.login}>
        {providerReturn ? (
          <Public title={t.signIn}>
            <ProviderReturnScreen found={providerReturn} />
          </Public>
        ) : (
          <Public title={t.signIn} onlyWithoutSession>
            <LoginScreen />
          </Public>
        )}
      </Route>
      {Object.entries(PUBLIC).map(([name, { title, Content }]) => (
        <Route key={name} path={PATHS[name as PublicName]}>
          <Public title={title}>
            <Content />
          </Public>
        </Route>
      ))}
      <Route path={PATHS.playground}>
        <Guard>
          <Redirect to={PATHS.crawl} replace />
        </Guard>
      </Route>
      <Route path={dashboardPaths(isEnterprise)}>
        <Guard>
          <Dashboard />
        </Guard>
      </Route>
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  )
}

/** One pattern for all dashboard screens, so that sidebar and top bar stay mounted between them. */
function dashboardPaths(isEnterprise: boolean): RegExp {
  const names = Object.keys(DASHBOARD).filter((name) => isEnterprise || !ENTERPRISE_ONLY.includes(name))
  return new RegExp(`^(?:${names.map(patternOf).join('|')})/?$`)
}

const patternOf = (name: string) => PATHS[name as PathName].replace(/:\w+/g, '[^/]+')

/** The lazily loaded content of a path, if any. */
const screenAt = (pathname: string) => Object.entries(DASHBOARD).find(([name]) => new RegExp(`^${patternOf(name)}/?$`).test(pathname))?.[1]

function Dashboard() {
  const [location] = useLocation()
  usePageTitle(trailOf(location).at(-1)?.label, location)
  return (
    <Frame>
      <DashboardLayout>
        <Screen>
          <Switch>
            {Object.entries(DASHBOARD).map(([name, Content]) => (
              <Route key={name} path={PATHS[name as PathName]}>
                <Content />
              </Route>
            ))}
          </Switch>
        </Screen>
      </DashboardLayout>
      <FirstThings />
    </Frame>
  )
}

/** Waits for files that are needed before any screen can be shown. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <ScreenBoundary>
      <Suspense
        fallback={
          <div data-waits className="grid min-h-dvh place-items-center">
            <Loading>{t.loading}</Loading>
          </div>
        }
      >
        {children}
      </Suspense>
    </ScreenBoundary>
  )
}

function Public({ title, onlyWithoutSession = false, children }: { title: string; onlyWithoutSession?: boolean; children: ReactNode }) {
  usePageTitle(title)
  const state = useHistoryState<unknown>()
  if (useHasSession() && onlyWithoutSession) return <Redirect to={placeAfterSignIn(state)} replace />
  return (
    <PublicLayout>
      <Screen>{children}</Screen>
    </PublicLayout>
  )
}

/** Without a session it redirects to the login, and returns here afterwards; the redirect replaces the history entry. */
function Guard({ children }: { children: ReactNode }) {
  return useHasSession() ? children : <Redirect to={PATHS.login} replace state={returningTo(currentPlace())} />
}

function Screen({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return (
    <ScreenBoundary key={location}>
      <Suspense fallback={<Loading>{t.loading}</Loading>}>{children}</Suspense>
    </ScreenBoundary>
  )
}
