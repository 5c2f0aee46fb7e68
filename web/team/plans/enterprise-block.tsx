/** A contact for teams that no plan fits. */
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { CheckIcon, MailIcon } from '#web/ui/icons.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import * as t from '#texts/plans.ts'

const BENEFITS = [
  t.unlimitedTeamMembers,
  t.unlimitedPagesCredit,
  t.customCrawlingRules,
  t.prioritySupport,
  t.customIntegrations,
  t.dedicatedAccountManager,
]

export function EnterpriseBlock() {
  const { enterpriseContact } = runtimeConfig
  return (
    <section
      aria-label={t.enterprise}
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto] xl:gap-8"
    >
      <div className="grid gap-0.5">
        <h2 className="text-section font-semibold">{t.enterprise}</h2>
        <p className="text-table text-soft">{t.forLargeTeamsWithRulesOf}</p>
      </div>
      <ul className="grid gap-x-6 gap-y-2 text-table sm:col-span-full sm:row-start-2 sm:grid-cols-2 xl:col-span-1 xl:col-start-2 xl:row-start-1">
        {BENEFITS.map((benefit) => (
          <li key={benefit} className="flex items-start gap-2">
            <CheckIcon className="mt-0.5 text-success" />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="grid justify-items-start gap-2 sm:justify-items-end xl:col-start-3">
        <p className="font-semibold">{t.contactUs}</p>
        {enterpriseContact && (
          <ButtonLink icon={MailIcon} href={`mailto:${enterpriseContact}`} external>
            {t.getInTouch}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
