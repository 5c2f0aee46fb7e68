/** Which of a site's addresses are listed, and how they are found. */
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
import { countText } from '#web/ui/text/time-texts.ts'
import { creditsOf } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'

type Props = { form: SitemapForm; onChange: (change: Partial<SitemapForm>) => void; error: ApiError | null }

export function SitemapOptionsForm({ form, onChange, error }: Props) {
  const isEnterprise = useIsEnterprise()
  const tie = tieFields(form, onChange, (name) => optionError(error, name))
  return (
    <div>
      <OptionSection title="How to look" description="Sitemap files are quick and whole where a site keeps them.">
        <div>
          <SwitchRow
            label="Include subdomains"
            description="Also addresses of hosts below the site's own. www. always counts as the site itself."
            {...tie.checked('include_subdomains')}
          />
          <SwitchRow
            label="Ignore sitemap.xml"
            description="Follow the links of the site instead of reading its files; slower, and for sites whose files are wrong."
            {...tie.checked('ignore_sitemap_xml')}
          />
        </div>
        {isEnterprise && (
          <div className="mt-4">
            <Notice title={`This sitemap costs ${countText(creditsOf(form), 'credit')}`}>5 credits; 15 when ignoring sitemap files.</Notice>
          </div>
        )}
      </OptionSection>
      <OptionSection title="What to keep" description="Only addresses that fit are listed. Excluded paths win.">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            className="sm:col-span-2"
            label="Search term"
            hint="Keeps addresses whose path has one of these words, the best first"
            placeholder="tea pots"
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
