/** The two tabs of crawl options: how far the spider goes, and what is done with each page. */
import { BLOCKABLE, DOCUMENT_TYPES } from '#contract/document-types.ts'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PathsField } from '#web/runs/shared/paths-field.tsx'
import { tieFields } from '#web/runs/shared/tie-fields.ts'
import { ProxySection } from '#web/runs/shared/proxy-section.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { FieldError, NumberField, TextField } from '#web/ui/form/field.tsx'
import { CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import type { CrawlErrors } from './crawl-errors.ts'
import type { CrawlForm, Header, PageFields, SpiderFields } from './crawl-form.ts'

type OptionsProps = { form: CrawlForm; onChange: (change: Partial<CrawlForm>) => void; errors: CrawlErrors }

const NOT_IN_BATCH = 'Not available in batch mode'

export function SpiderOptionsForm({ form, onChange, errors, maxConcurrency }: OptionsProps & { maxConcurrency: number }) {
  const batch = form.crawl_type === 'batch'
  const { spider_options: values } = form
  const set = (change: Partial<SpiderFields>) => onChange({ spider_options: { ...values, ...change } })
  const tie = tieFields(values, set, (name) => errors[`spider_options.${name}`])
  return (
    <div>
      <OptionSection title="Crawler settings" description="How far the crawl goes and how fast.">
        <div className="grid gap-4 sm:grid-cols-3">
          {batch ? (
            <>
              <Auto label="Max depth" />
              <Auto label="Page limit" />
            </>
          ) : (
            <>
              <NumberField label="Max depth" {...tie.value('max_depth')} hint="Links away from the start" placeholder="1" />
              <NumberField label="Page limit" {...tie.value('page_limit')} hint="The most pages to store" placeholder="1" />
            </>
          )}
          <NumberField
            label="Concurrent requests"
            {...tie.value('concurrent_requests')}
            hint="Empty adapts to the site"
            placeholder={`Automatic, up to ${maxConcurrency}`}
          />
        </div>
      </OptionSection>
      <OptionSection title="Path filters" description={<>Paths may use * for any text. Excluded paths win.</>}>
        <div className="grid gap-4 sm:grid-cols-2">
          {batch ? (
            <>
              <Auto label="Exclude paths" />
              <Auto label="Include paths" />
              <Auto label="Allowed domains" className="sm:col-span-2" />
            </>
          ) : (
            <>
              <PathsField which="exclude" {...tie.values('exclude_paths')} />
              <PathsField which="include" {...tie.values('include_paths')} />
              <TagField
                className="sm:col-span-2"
                label="Allowed domains"
                help="Compared with the host of the address. * stands for any text. With a port, as in *.example.com:8080, host and port must match; without one any port does."
                {...tie.values('allowed_domains')}
                placeholder="*.example.com"
                hint="Empty means the start's own domain and what is below it. Links elsewhere are noted, not followed."
              />
            </>
          )}
        </div>
      </OptionSection>
      <ProxySection {...tie.value('proxy_server')} />
    </div>
  )
}

/** A control that a batch decides by itself. */
const Auto = ({ label, className }: { label: string; className?: string }) => (
  <TextField label={label} value="Auto" onChange={() => undefined} disabled hint={NOT_IN_BATCH} {...(className && { className })} />
)

export function PageOptionsForm({ form, onChange, errors, isRenderingConfigured }: OptionsProps & { isRenderingConfigured: boolean }) {
  const { page_options: values } = form
  const set = (change: Partial<PageFields>) => onChange({ page_options: { ...values, ...change } })
  const tie = tieFields(values, set, (name) => errors[`page_options.${name}`])
  const renders = isRenderingConfigured && !values.ignore_rendering
  const why = isRenderingConfigured ? 'Not used while rendering is ignored' : 'Rendering is not set up on this server'
  return (
    <div>
      {!isRenderingConfigured && (
        <div className="pb-6">
          <Notice title="Rendering is not set up on this server">
            Pages are read as the site sends them, without running their scripts. To have them drawn, install Chromium on the server; npm
            run admin -- doctor says whether it is found.
          </Notice>
        </div>
      )}
      <OptionSection title="Content extraction" description="What is kept of each page.">
        <SwitchRow label="Extract main content" description="Leaves out menus, banners and footers" {...tie.checked('only_main_content')} />
        {values.only_main_content && (
          <SwitchRow
            label="Article text only"
            description="Leaves out an article's headline and captions too"
            {...tie.checked('article_text_only')}
          />
        )}
        <SwitchRow label="Include HTML" description="Keeps the cleaned HTML beside the Markdown" {...tie.checked('include_html')} />
        <SwitchRow label="Include links" description="Lists the addresses that the page links to" {...tie.checked('include_links')} />
        <SwitchRow
          label="Ignore rendering"
          description={isRenderingConfigured ? 'Never uses a browser. Otherwise a browser renders pages that come without text' : why}
          checked={values.ignore_rendering}
          disabled={!isRenderingConfigured}
          onChange={(ignore_rendering) => set({ ignore_rendering, ...(ignore_rendering && { pdf: false, screenshot: false }) })}
        />
      </OptionSection>
      <OptionSection title="Content filtering" description="CSS selectors of what to leave out or to keep.">
        <div className="grid gap-4 sm:grid-cols-2">
          <TagField label="Exclude elements" {...tie.values('exclude_tags')} placeholder=".advert" />
          <TagField label="Include elements" {...tie.values('include_tags')} placeholder="article" />
        </div>
      </OptionSection>
      <OptionSection title="Documents" description={`Kinds of documents: ${DOCUMENT_TYPES.join(', ')}. Feeds are xml.`}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TagField label="Keep only" {...tie.values('keep_types')} placeholder="pdf" />
          <TagField label="Skip" {...tie.values('skip_types')} placeholder="xlsx" />
        </div>
      </OptionSection>
      <OptionSection title="Timing" description="How long a page may take.">
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label="Wait time"
            {...tie.value('wait_time')}
            suffix="ms"
            disabled={!renders}
            hint={renders ? 'After a page has loaded, before it is read' : why}
          />
          <NumberField label="Timeout" {...tie.value('timeout')} suffix="ms" hint="For loading one page, 1000 to 120000" />
        </div>
      </OptionSection>
      <OptionSection title="Actions" description="Files made of each page.">
        <SwitchRow
          label="Generate PDF"
          description={renders ? 'The whole page, with backgrounds' : why}
          checked={renders && values.pdf}
          disabled={!renders}
          onChange={(pdf) => set({ pdf })}
        />
        <SwitchRow
          label="Take screenshot"
          description={renders ? 'The whole page as a picture' : why}
          checked={renders && values.screenshot}
          disabled={!renders}
          onChange={(screenshot) => set({ screenshot })}
        />
        <FieldError error={errors['page_options.screenshot']} className="mt-2" />
      </OptionSection>
      <OptionSection title="Browser" description="How pages are rendered.">
        <SwitchRow
          label="Mobile view"
          description={renders ? 'Renders every page as on a phone' : why}
          checked={renders && values.mobile}
          disabled={!renders}
          onChange={(mobile) => set({ mobile })}
        />
        {BLOCKABLE.map((name) => (
          <SwitchRow
            key={name}
            label={`Block ${name}`}
            description={renders ? BLOCKED[name] : why}
            checked={renders && values.block.includes(name)}
            disabled={!renders}
            onChange={(isOn) => set({ block: BLOCKABLE.filter((one) => (one === name ? isOn : values.block.includes(one))) })}
          />
        ))}
        <FieldError error={errors['page_options.block']} className="mt-2" />
      </OptionSection>
      <OptionSection title="Cookies and locale" description="What the site should take the crawler for.">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Accept-cookies selector"
            {...tie.value('accept_cookies_selector')}
            placeholder="#accept"
            disabled={!renders}
            autoCapitalize="none"
            spellCheck={false}
            hint={renders ? 'The button that is pressed before a page is read' : why}
          />
          <TextField
            label="Locale"
            {...tie.value('locale')}
            placeholder="en-US"
            autoCapitalize="none"
            spellCheck={false}
            hint="Language and region, also sent as Accept-Language"
          />
        </div>
      </OptionSection>
      <OptionSection title="Custom headers" description="Sent with every request to the site.">
        <Headers
          headers={values.extra_headers}
          onChange={(extra_headers) => set({ extra_headers })}
          error={errors['page_options.extra_headers']}
        />
      </OptionSection>
    </div>
  )
}

const BLOCKED = {
  images: 'Pictures are not loaded',
  media: 'Videos and sounds are not loaded',
  fonts: 'Letters are drawn with the fonts of the server',
  ads: 'Known advertising hosts are not asked',
} as const

function Headers({
  headers,
  onChange,
  error,
}: {
  headers: readonly Header[]
  onChange: (headers: Header[]) => void
  error: string | undefined
}): ReactNode {
  const [draft, setDraft] = useState<Header>({ name: '', value: '' })
  const add = () => {
    const name = draft.name.trim()
    if (name === '') return
    // A name stands for one header, however it is spelled.
    onChange([...headers.filter((one) => one.name.toLowerCase() !== name.toLowerCase()), { name, value: draft.value.trim() }])
    setDraft({ name: '', value: '' })
  }
  return (
    <div className="grid gap-3">
      {headers.length > 0 && (
        <ul className="rounded-control border border-line bg-surface">
          {headers.map((header) => (
            <li key={header.name} className="flex items-center gap-3 border-b border-line py-1 pr-1 pl-3 text-table last:border-b-0">
              <span className="min-w-0 flex-1 font-mono text-label wrap-anywhere">
                <b className="font-semibold">{header.name}</b>: {header.value}
              </span>
              <IconButton
                label={`Remove header ${header.name}`}
                icon={CloseIcon}
                onClick={() => onChange(headers.filter((one) => one !== header))}
              />
            </li>
          ))}
        </ul>
      )}
      <div
        className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || draft.name.trim() === '') return
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label="Header name"
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          placeholder="X-Visitor"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label="Header value" value={draft.value} onChange={(value) => setDraft({ ...draft, value })} spellCheck={false} />
        <Button icon={PlusIcon} disabled={draft.name.trim() === ''} onClick={add}>
          Add header
        </Button>
      </div>
      <FieldError error={error} />
    </div>
  )
}
