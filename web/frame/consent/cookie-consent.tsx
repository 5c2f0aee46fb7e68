/** Asks once which cookies are allowed, and starts the services that need them. Rendered in enterprise mode only. */
import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ExternalIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/consent.ts'
import { CATEGORIES, acceptAll, openConsent, rejectOptional, savePreferences, useConsent } from './consent.ts'
import { startCategories } from './initialisers.ts'
import { mayBeMeasured } from './measured-pages.ts'

export function CookieConsent() {
  const { data: settings } = useEndpoint(getSettings)
  const record = useConsent()
  const [isManaging, setManaging] = useState(false)
  const [path] = useLocation()
  const query = useSearch()
  // Read before the first paint, so that people who have decided never see the banner.
  useLayoutEffect(() => {
    openConsent(true)
    return () => openConsent(false)
  }, [])
  useEffect(() => {
    if (record?.given && settings && mayBeMeasured(path, query)) startCategories(record.categories, settings.google_analytics_id)
  }, [record, settings, path, query])

  if (record === undefined || record?.given) return null
  return (
    <>
      <section
        aria-label={t.cookies}
        className="sticky bottom-0 z-30 border-t border-line bg-raised px-4 py-3 text-ink shadow-float sm:px-6"
      >
        <div className="mx-auto flex max-w-content flex-wrap items-center gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-72">{t.thisWebsiteUsesCookiesToEnhance}</p>
          <div className="flex flex-none gap-2 max-sm:w-full max-sm:*:flex-1">
            <Button onClick={() => setManaging(true)} aria-haspopup="dialog">
              {t.manageCookies}
            </Button>
            <Button look="primary" onClick={acceptAll}>
              {t.acceptAll}
            </Button>
          </div>
        </div>
      </section>
      <CookiePreferences open={isManaging} onClose={() => setManaging(false)} policyUrl={settings?.policy_url ?? ''} />
    </>
  )
}

/** `policyUrl` '' is unknown: then there is no link. A decision closes the dialog together with the banner. */
function CookiePreferences({ open, onClose, policyUrl }: { open: boolean; onClose: () => void; policyUrl: string }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="normal"
      title={t.cookiePreferences}
      footer={
        <>
          <Button look="quiet" className="max-sm:w-full sm:mr-auto sm:-ml-3.5" onClick={rejectOptional}>
            {t.reject}
          </Button>
          <Button className="max-sm:w-full" onClick={() => savePreferences(chosen)}>
            {t.savePreferences}
          </Button>
          <Button look="primary" className="max-sm:w-full" onClick={acceptAll}>
            {t.acceptAll}
          </Button>
        </>
      }
    >
      <p tabIndex={-1} data-autofocus className="outline-none">
        {t.chooseWhatMayBeStoredOn}
      </p>
      <div className="rounded-card border border-line bg-surface px-4 py-3 text-ink">
        {CATEGORIES.map(({ id, isEssential, label, description }) =>
          isEssential ? (
            <div key={id} className="flex items-center gap-4 pb-3">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{label}</p>
                <p className="text-table text-soft">{description}</p>
              </div>
              <span className="flex-none text-table text-faint">{t.alwaysOn}</span>
            </div>
          ) : (
            <SwitchRow
              key={id}
              label={label}
              description={description}
              checked={chosen.includes(id)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))}
            />
          ),
        )}
      </div>
      {policyUrl !== '' && (
        <a
          href={policyUrl}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex items-center gap-1.5 justify-self-start text-table"
        >
          {t.readOurFullPrivacyPolicy}
          <ExternalIcon className="size-3.5" />
        </a>
      )}
    </Dialog>
  )
}
