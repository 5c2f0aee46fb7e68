/** Information about the installation: settings, readiness, and a report to the makers if the administrator agreed. */
import type { BackendConfig } from '#backend/config.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import type { ServiceState } from '#backend/platform/service-watch.ts'
import type { Ports } from '#backend/ports.ts'
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import { createInstallReport, sendReportTo } from './install-report.ts'
import { createReadiness } from './readiness.ts'
import { healthRoutes, settingsRoutes } from './routes.ts'
import { watchServices } from './services.ts'
import type { AskServices } from './services.ts'
import { createSettings } from './settings.ts'
import type { StorageWatch } from './storage-watch.ts'

type Others = {
  browser: () => ServiceState
  isEngineFailing: () => boolean
  isInstalled: () => Promise<boolean>
  isRenderingConfigured: boolean
  isSearchConfigured: boolean
  redis: () => ServiceState
  services: AskServices
  storage: StorageWatch
}

/** Its routes, and the watch of the services that only some work needs. */
export function systemFeature(
  config: BackendConfig,
  ports: Ports,
  { browser, isEngineFailing, isInstalled, redis, services: asks, storage, ...known }: Others,
) {
  const settings = createSettings({
    isInstalled,
    known: {
      ...known,
      analyticsId: config.googleAnalyticsId,
      githubClientId: config.githubClientId,
      googleClientId: config.googleClientId,
      isEnterprise: config.enterpriseMode,
      isLoginEnabled: config.loginEnabled,
      isSignupEnabled: config.signupEnabled,
      isMailConfigured: config.smtpUrl !== undefined,
      maxCrawlConcurrency: config.crawlConcurrency,
      maxUploadUrls: MAX_BATCH_URLS,
      isOidcConfigured: config.oidcIssuer !== undefined,
      oidcName: config.oidcName,
      policyUpdatedAt: config.policyUpdatedAt,
      policyUrl: config.policyUrl,
      termsUpdatedAt: config.termsUpdatedAt,
      termsUrl: config.termsUrl,
      version: config.version,
    },
  })
  const services = watchServices(asks, ports)
  const { database } = ports
  const check = createReadiness({ browser, database, isEngineFailing, redis, services: services.states, storage })
  const health = [healthRoutes({ check })]
  return { health, routes: [settingsRoutes({ settings }), ...health], services }
}

/**
 * The report of the installation. Null when the operator has configured no receiver: then nothing is sent, whatever the administrator
 * agreed to.
 *
 * @param agreement  the setting with the administrator's answer
 */
export function startInstallReport({ installReportUrl: url, productName, version }: BackendConfig, ports: Ports, agreement: string) {
  if (url === undefined) return null
  const { database, every, newId } = ports
  const client = createOperatorClient({ origins: [url], userAgent: `${productName}/${version}` })
  const report = createInstallReport({ agreement, database, every, newId, send: sendReportTo(url, client.ask), version })
  return { look: report.look, close: () => report.close().then(client.close) }
}
