/** The settings could not be loaded: possible causes, the failed request, and a retry. */
import { publicApiUrl, runtimeConfig } from '#web/state/runtime-config.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { ExternalIcon, RefreshIcon } from '#web/ui/icons.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { usePageTitle } from '#web/frame/layout/use-page-title.ts'
import * as t from '#texts/system.ts'
import { troubleshootingUrl } from './troubleshooting-url.ts'

const CAUSES = [
  t.theBackendIsNotRunning,
  t.theAPIURLIsMisconfigured,
  t.corsDoesNotAllowThisPage,
  t.theNetworkIsDown,
  t.theBackendAnswersWithErrors,
]

export function SettingsErrorScreen({ message, busy, onRetry }: { message: string; busy: boolean; onRetry: () => void }) {
  usePageTitle(t.settingsError)
  return (
    <main className="mesh grid min-h-dvh place-items-center bg-page p-4">
      <section className="grid w-full max-w-110 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-6">
        <Mark className="size-7" />
        <div className="grid gap-1">
          <h1 className="text-title font-semibold">{t.settingsError}</h1>
          <p className="text-soft">{t.couldNotLoadItsSettingsSo(runtimeConfig.productName)}</p>
        </div>
        <div className="grid gap-1.5">
          <h2 className="font-semibold">{t.possibleCauses}</h2>
          <ul className="grid list-disc gap-0.5 pl-4.5 text-table text-soft">
            {CAUSES.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </div>
        <div role="alert" className="rounded-control border border-line bg-sunken px-4 py-3 font-mono text-label break-words">
          <dl className="grid gap-1">
            <dt className="text-faint">{t.errorMessage}</dt>
            <dd className="mb-1">{message}</dd>
            <dt className="text-faint">{t.apiURL}</dt>
            <dd>{publicApiUrl()}</dd>
          </dl>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" icon={RefreshIcon} busy={busy} busyLabel={t.trying} onClick={onRetry}>
            {t.tryAgain}
          </Button>
          <ButtonLink look="quiet" href={troubleshootingUrl(runtimeConfig)} external>
            {t.troubleshootingGuide}
            <ExternalIcon className="text-faint" />
          </ButtonLink>
        </div>
      </section>
    </main>
  )
}
