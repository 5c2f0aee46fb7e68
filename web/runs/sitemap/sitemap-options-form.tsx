/** Which URLs of a site are listed, and how they are found. */
import { useIsEnterprise } from '#web/api/enterprise.ts'
import type { Form } from '#web/api/use-form.ts'
import { PathsField } from '#web/runs/shared/paths-field.tsx'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/sitemap.ts'
import { creditsOf } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'

export function SitemapOptionsForm({ form: { check, field, values } }: { form: Form<SitemapForm> }) {
  const isEnterprise = useIsEnterprise()
  return (
    <div>
      <OptionSection title={t.howToLook} description={t.sitemapFilesAreQuickAndWhole}>
        <div>
          <SwitchRow label={t.includeSubdomains} description={t.alsoUrlsOfHostsBelowThe} {...check('include_subdomains')} />
          <SwitchRow label={t.ignoreSitemapXml} description={t.followTheLinksOfTheSite} {...check('ignore_sitemap_xml')} />
        </div>
        {isEnterprise && (
          <div className="mt-4">
            <Notice title={t.thisSitemapCosts(t.credits(creditsOf(values)))}>{t.n5Credits15WhenIgnoringSitemap}</Notice>
          </div>
        )}
      </OptionSection>
      <OptionSection title={t.whatToKeep} description={t.onlyUrlsThatFitAreListed}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            className="sm:col-span-2"
            label={t.searchTerm}
            hint={t.keepsUrlsWhosePathHasOne}
            placeholder={t.teaPots}
            {...field('search')}
          />
          <PathsField which="include" {...field('include_paths')} />
          <PathsField which="exclude" {...field('exclude_paths')} />
        </div>
      </OptionSection>
      <ProxySection {...field('proxy_server')} />
    </div>
  )
}
