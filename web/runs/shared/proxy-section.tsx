/** The proxy of a run. */
import { Link } from 'wouter'
import { getCurrentSubscription } from '#contract/plans.ts'
import { listAllProxies } from '#contract/proxies.ts'
import type { ProxyCategory } from '#contract/proxies.ts'
import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import * as t from '#texts/run-fields.ts'

/** Loaded separately; until then a disabled field of the same size reserves its place. */
const SearchSelect = lazyPart(
  async () => (await import('#web/ui/form/search-select.tsx')).SearchSelect,
  <TextField label={t.proxyServer} value="" placeholder={t.useDefaultProxies} onChange={() => undefined} disabled />,
)

const CATEGORIES: Record<ProxyCategory, string> = { team: t.team, general: t.general, premium: t.premium }

/** Whether the team has the free plan, which has no premium proxies. Requested only if it `matters`. */
function useFreePlan(matters: boolean): boolean {
  const { data: settings } = useEndpoint(getSettings)
  const isAsked = matters && settings?.is_enterprise_mode_active === true
  const { data: plan } = useEndpoint(getCurrentSubscription, isAsked ? {} : null, { shouldRetryOnError: false })
  return plan?.is_default === true
}

/** `value` '' is the default proxy. */
export function ProxySection({ value, onChange, error }: { value: string; onChange: (slug: string) => void; error?: string | undefined }) {
  const { data: proxies, error: fault } = useEndpoint(listAllProxies)
  const isLocked = useFreePlan(proxies?.some(({ category }) => category === 'premium') === true)
  return (
    <OptionSection
      title={t.proxy}
      description={
        <>
          {t.proxyForRequests(
            <Link href={`${PATHS.settings}#proxy`} className="link mt-1 block w-fit">
              {t.proxySettings}
            </Link>,
          )}
        </>
      }
    >
      <div className="grid max-w-100 gap-4">
        <SearchSelect
          label={t.proxyServer}
          none={t.useDefaultProxies}
          value={value}
          onChange={onChange}
          options={(proxies ?? []).map(({ slug, name, category }) => ({
            value: slug,
            label: name,
            category: isLocked && category === 'premium' ? t.premiumNeedsAPaidPlan : CATEGORIES[category],
            words: slug,
            disabled: isLocked && category === 'premium',
          }))}
          hint={fault ? t.theListOfProxiesCouldNot : proxies?.length === 0 ? t.noProxyServersYet : undefined}
          error={error}
        />
        {isLocked && (
          <Notice
            title={t.premiumProxiesNeedAPaidPlan}
            action={
              <ButtonLink size="small" href={PATHS.plans}>
                {t.seePlans}
              </ButtonLink>
            }
          >
            {t.theyAreListedHereAndCan}
          </Notice>
        )}
      </div>
    </OptionSection>
  )
}
