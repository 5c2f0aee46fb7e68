/** Information about the installation: settings, readiness, and a report to the makers if the administrator agreed. */
import { blobPlaceOf } from '#backend/config.ts'
import type { BackendConfig } from '#backend/config.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { pingBlobs } from '#backend/platform/blobs/open-blobs.ts'
import type { Ports } from '#backend/ports.ts'
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import { createBucketWatch } from './bucket-watch.ts'
import { createInstallReport, sendReportTo } from './install-report.ts'
import { createReadiness } from './readiness.ts'
import { healthRoutes, settingsRoutes } from './routes.ts'
import { createSettings } from './settings.ts'
import type { StorageWatch } from './storage-watch.ts'

type Others = {
  browser: () => 'off' | 'ok' | 'failed'
  isEngineFailing: () => boolean
  isInstalled: () => Promise<boolean>
  isRenderingConfigured: boolean
  isSearchConfigured: boolean
  storage: StorageWatch
}

/** Its routes. */
export function systemFeature(
  config: BackendConfig,
  { database, steady }: Ports,
  { browser, isEngineFailing, isInstalled, storage, ...known }: Others,
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
  const bucket = createBucketWatch({ ping: pingBlobs(blobPlaceOf(config)), steady })
  const health = [healthRoutes({ check: createReadiness({ browser, bucket, database, isEngineFailing, storage }) })]
  return { health, routes: [settingsRoutes({ settings }), ...health] }
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
