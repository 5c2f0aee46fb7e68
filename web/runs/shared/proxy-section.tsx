/** The proxy that a run goes through. */
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
import { SearchSelect } from '#web/ui/form/search-select.tsx'

const CATEGORIES: Record<ProxyCategory, string> = { team: 'Team', general: 'General', premium: 'Premium' }

/** Whether the team's plan is the free one, which has no premium proxies. Asked where it matters only. */
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
      title="Proxy"
      description={
        <>
          Where requests leave from.
          <Link href={`${PATHS.settings}#proxy`} className="mt-1 block w-fit text-accent-ink underline">
            Proxy settings
          </Link>
        </>
      }
    >
      <div className="grid max-w-100 gap-4">
        <SearchSelect
          label="Proxy server"
          none="Use default proxies"
          value={value}
          onChange={onChange}
          options={(proxies ?? []).map(({ slug, name, category }) => ({
            value: slug,
            label: name,
            category: isLocked && category === 'premium' ? 'Premium, needs a paid plan' : CATEGORIES[category],
            words: slug,
            disabled: isLocked && category === 'premium',
          }))}
          hint={fault ? 'The list of proxies could not be loaded.' : proxies?.length === 0 ? 'There is none to choose yet.' : undefined}
          error={error}
        />
        {isLocked && (
          <Notice
            title="Premium proxies need a paid plan"
            action={
              <ButtonLink size="small" href={PATHS.plans}>
                See plans
              </ButtonLink>
            }
          >
            They are listed here, and can be chosen once the team has one.
          </Notice>
        )}
      </div>
    </OptionSection>
  )
}
