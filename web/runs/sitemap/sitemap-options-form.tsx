/** Which URLs of a site are listed, and how they are found. */
import type { ApiError } from '#web/api/client.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { optionError } from '#web/runs/shared/option-error.ts'
import { PathsField } from '#web/runs/shared/paths-field.tsx'
import { tieFields } from '#web/runs/shared/tie-fields.ts'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/sitemap.ts'
import { creditsOf } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'

type Props = { form: SitemapForm; onChange: (change: Partial<SitemapForm>) => void; error: ApiError | null }

export function SitemapOptionsForm({ form, onChange, error }: Props) {
  const isEnterprise = useIsEnterprise()
  const tie = tieFields(form, onChange, (name) => optionError(error, name))
  return (
    <div>
      <OptionSection title={t.howToLook} description={t.sitemapFilesAreQuickAndWhole}>
        <div>
          <SwitchRow label={t.includeSubdomains} description={t.alsoAddressesOfHostsBelowThe} {...tie.checked('include_subdomains')} />
          <SwitchRow label={t.ignoreSitemapXml} description={t.followTheLinksOfTheSite} {...tie.checked('ignore_sitemap_xml')} />
        </div>
        {isEnterprise && (
          <div className="mt-4">
            <Notice title={t.thisSitemapCosts(t.credits(creditsOf(form)))}>{t.n5Credits15WhenIgnoringSitemap}</Notice>
          </div>
        )}
      </OptionSection>
      <OptionSection title={t.whatToKeep} description={t.onlyAddressesThatFitAreListed}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            className="sm:col-span-2"
            label={t.searchTerm}
            hint={t.keepsAddressesWhosePathHasOne}
            placeholder={t.teaPots}
            {...tie.value('search')}
          />
          <PathsField which="include" {...tie.values('include_paths')} />
          <PathsField which="exclude" {...tie.values('exclude_paths')} />
        </div>
      </OptionSection>
      <ProxySection {...tie.value('proxy_server')} />
    </div>
  )
}
