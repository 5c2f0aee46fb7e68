/** How a page is processed: what is kept and left out, and how it is fetched. */
import { BLOCKABLE, DOCUMENT_TYPES } from '#contract/document-types.ts'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { isComposing } from '#web/ui/form/composing.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { FieldError, NumberField, TextField } from '#web/ui/form/field.tsx'
import { CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import * as t from '#texts/crawl.ts'
import type { Header } from './crawl-form.ts'
import type { CrawlFormProps } from './crawl-options-form.tsx'

export function PageOptionsForm({ form, isRenderingConfigured }: CrawlFormProps & { isRenderingConfigured: boolean }) {
  const { check, field, set, shown, values } = form.part('page_options')
  const renders = isRenderingConfigured && !values.ignore_rendering
  const why = isRenderingConfigured ? t.notUsedWhileRenderingIsIgnored : t.renderingIsNotSetUpOn
  return (
    <div>
      {!isRenderingConfigured && (
        <div className="pb-6">
          <Notice title={t.renderingIsNotSetUpOn}>{t.pagesAreReadAsTheSite}</Notice>
        </div>
      )}
      <OptionSection title={t.contentExtraction} description={t.whatIsKeptOfEachPage}>
        <SwitchRow label={t.extractMainContent} description={t.leavesOutMenusBannersAndFooters} {...check('only_main_content')} />
        {values.only_main_content && (
          <SwitchRow label={t.articleTextOnly} description={t.leavesOutAnArticlesHeadlineAnd} {...check('article_text_only')} />
        )}
        <SwitchRow label={t.htmlTagsInMarkdown} description={t.keepsElementsThatMarkdownHasNo} {...check('html_in_markdown')} />
        <SwitchRow label={t.includeHTML} description={t.keepsTheCleanedHTMLBesideThe} {...check('include_html')} />
        <SwitchRow label={t.includeLinks} description={t.listsTheUrlsThatThePage} {...check('include_links')} />
        <SwitchRow
          label={t.ignoreRendering}
          description={isRenderingConfigured ? t.neverUsesABrowserOtherwiseA : why}
          checked={values.ignore_rendering}
          disabled={!isRenderingConfigured}
          onChange={(ignore_rendering) => set({ ignore_rendering, ...(ignore_rendering && { pdf: false, screenshot: false }) })}
        />
      </OptionSection>
      <OptionSection title={t.contentFiltering} description={t.cssSelectorsOfWhatToLeave}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TagField label={t.excludeElements} {...field('exclude_tags')} placeholder={t.advert} />
          <TagField label={t.includeElements} {...field('include_tags')} placeholder={t.article} />
        </div>
      </OptionSection>
      <OptionSection title={t.documents} description={t.kindsOfDocumentsFeedsAreXml(DOCUMENT_TYPES.join(', '))}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TagField label={t.keepOnly} {...field('keep_types')} placeholder={t.pdf} />
          <TagField label={t.skip} {...field('skip_types')} placeholder={t.xlsx} />
        </div>
      </OptionSection>
      <OptionSection title={t.timing} description={t.howLongAPageMayTake}>
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label={t.waitTime}
            {...field('wait_time')}
            suffix="ms"
            disabled={!renders}
            hint={renders ? t.afterAPageHasLoadedBefore : why}
          />
          <NumberField label={t.timeout} {...field('timeout')} suffix="ms" hint={t.forLoadingOnePage1000To} />
        </div>
      </OptionSection>
      <OptionSection title={t.actions} description={t.filesMadeOfEachPage}>
        <SwitchRow
          label={t.generatePDF}
          description={renders ? t.theWholePageWithBackgrounds : why}
          checked={renders && values.pdf}
          disabled={!renders}
          onChange={(pdf) => set({ pdf })}
        />
        <SwitchRow
          label={t.takeScreenshot}
          description={renders ? t.theWholePageAsAPicture : why}
          checked={renders && values.screenshot}
          disabled={!renders}
          onChange={(screenshot) => set({ screenshot })}
        />
        <FieldError error={shown('screenshot')} className="mt-2" />
      </OptionSection>
      <OptionSection title={t.browser} description={t.howPagesAreRendered}>
        <SwitchRow
          label={t.mobileView}
          description={renders ? t.rendersEveryPageAsOnA : why}
          checked={renders && values.mobile}
          disabled={!renders}
          onChange={(mobile) => set({ mobile })}
        />
        {BLOCKABLE.map((name) => (
          <SwitchRow
            key={name}
            label={t.block(name)}
            description={renders ? BLOCKED[name] : why}
            checked={renders && values.block.includes(name)}
            disabled={!renders}
            onChange={(isOn) => set({ block: BLOCKABLE.filter((one) => (one === name ? isOn : values.block.includes(one))) })}
          />
        ))}
        <FieldError error={shown('block')} className="mt-2" />
      </OptionSection>
      <OptionSection title={t.cookiesAndLocale} description={t.cookieBannersAndLanguage}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t.acceptCookiesSelector}
            {...field('accept_cookies_selector')}
            placeholder={t.accept}
            disabled={!renders}
            autoCapitalize="none"
            spellCheck={false}
            hint={renders ? t.theButtonThatIsPressedBefore : why}
          />
          <TextField
            label={t.locale}
            {...field('locale')}
            placeholder={t.enUS}
            autoCapitalize="none"
            spellCheck={false}
            hint={t.languageAndRegionAlsoSentAs}
          />
        </div>
      </OptionSection>
      <OptionSection title={t.customHeaders} description={t.sentWithEveryRequestToThe}>
        <Headers {...field('extra_headers')} />
      </OptionSection>
    </div>
  )
}

const BLOCKED = {
  images: t.picturesAreNotLoaded,
  media: t.videosAndSoundsAreNotLoaded,
  fonts: t.lettersAreDrawnWithTheFonts,
  ads: t.knownAdvertisingHostsAreNotAsked,
} as const

type HeadersProps = { value: readonly Header[]; onChange: (headers: Header[]) => void; error: string | undefined }

function Headers({ value: headers, onChange, error }: HeadersProps): ReactNode {
  const [draft, setDraft] = useState<Header>({ name: '', value: '' })
  const add = () => {
    const name = draft.name.trim()
    if (name === '') return
    // Header names are case-insensitive: replace an earlier one.
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
                label={t.removeHeader(header.name)}
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
          if (event.key !== 'Enter' || isComposing(event) || draft.name.trim() === '') return
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label={t.headerName}
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          placeholder={t.xVisitor}
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label={t.headerValue} value={draft.value} onChange={(value) => setDraft({ ...draft, value })} spellCheck={false} />
        <Button icon={PlusIcon} disabled={draft.name.trim() === ''} onClick={add}>
          {t.addHeader}
        </Button>
      </div>
      <FieldError error={error} />
    </div>
  )
}
