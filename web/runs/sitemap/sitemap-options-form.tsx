/** Which of a site's addresses are listed, and how they are found. */
import type { ApiError } from '#web/api/client.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { optionError } from '#web/runs/shared/option-error.ts'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import { countText } from '#web/ui/text/time-texts.ts'
import { creditsOf } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'

const PATTERN_HELP = 'Compared with the path of the address. * stands for any text, also across slashes; ? for one character.'

type Props = { form: SitemapForm; onChange: (change: Partial<SitemapForm>) => void; error: ApiError | null }

export function SitemapOptionsForm({ form, onChange, error }: Props) {
  const isEnterprise = useIsEnterprise()
  return (
    <div>
      <OptionSection title="How to look" description="Sitemap files are quick and whole where a site keeps them.">
        <div>
          <SwitchRow
            label="Include subdomains"
            description="Also addresses of hosts below the site's own. www. always counts as the site itself."
            checked={form.include_subdomains}
            onChange={(include_subdomains) => onChange({ include_subdomains })}
          />
          <SwitchRow
            label="Ignore sitemap.xml"
            description="Follow the links of the site instead of reading its files; slower, and for sites whose files are wrong."
            checked={form.ignore_sitemap_xml}
            onChange={(ignore_sitemap_xml) => onChange({ ignore_sitemap_xml })}
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
            value={form.search}
            onChange={(search) => onChange({ search })}
            error={optionError(error, 'search')}
          />
          <TagField
            label="Include paths"
            help={PATTERN_HELP}
            values={form.include_paths}
            onChange={(include_paths) => onChange({ include_paths })}
            placeholder="/guide/*"
            error={optionError(error, 'include_paths')}
          />
          <TagField
            label="Exclude paths"
            help={PATTERN_HELP}
            values={form.exclude_paths}
            onChange={(exclude_paths) => onChange({ exclude_paths })}
            placeholder="/legal/*"
            error={optionError(error, 'exclude_paths')}
          />
        </div>
      </OptionSection>
      <ProxySection
        value={form.proxy_server}
        onChange={(proxy_server) => onChange({ proxy_server })}
        error={optionError(error, 'proxy_server')}
      />
    </div>
  )
}
