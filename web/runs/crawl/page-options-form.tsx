/** How a page is processed: what is kept and left out, and how it is fetched. */
import { BLOCKABLE, DOCUMENT_TYPES } from '#contract/document-types.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { FieldError, NumberField, TextField } from '#web/ui/form/field.tsx'
import { TagField } from '#web/ui/form/tag-field.tsx'
import { blockable } from '#texts/crawl.ts'
import * as t from '#texts/page-options.ts'
import type { CrawlFormProps } from './crawl-options-form.tsx'
import { HeadersField } from './headers-field.tsx'

export type PageOptionsFormProps = CrawlFormProps & { isRenderingConfigured: boolean }

export function PageOptionsForm({ form, isRenderingConfigured }: PageOptionsFormProps) {
  const options = controlsOf(form)
  const renders = isRenderingConfigured && !options.values.ignore_rendering
  const why = isRenderingConfigured ? t.notUsedWhileRenderingIsIgnored : t.renderingIsNotSetUpOn
  const rendering = { options, renders, why }
  return (
    <>
      {!isRenderingConfigured && (
        <div className="pb-6">
          <Notice title={t.renderingIsNotSetUpOn}>{t.pagesAreReadAsTheSite}</Notice>
        </div>
      )}
      <div>
        <Extraction options={options} isRenderingConfigured={isRenderingConfigured} />
        <Filtering options={options} />
        <Documents options={options} />
        <Timing {...rendering} />
        <Actions {...rendering} />
        <BrowserOptions {...rendering} />
        <CookiesAndLocale {...rendering} />
        <OptionSection title={t.customHeaders} description={t.sentWithEveryRequestToThe}>
          <HeadersField {...options.field('extra_headers')} />
        </OptionSection>
      </div>
    </>
  )
}

const controlsOf = (form: CrawlFormProps['form']) => form.part('page_options')

/** The controls of the page options. */
type PageOptions = ReturnType<typeof controlsOf>

/** For options that need a browser: `why` says why pages are not rendered. */
type RenderingProps = { options: PageOptions; renders: boolean; why: string }

function Extraction({ options: { check, set, values }, isRenderingConfigured }: { options: PageOptions; isRenderingConfigured: boolean }) {
  return (
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
        description={isRenderingConfigured ? t.neverUsesABrowserOtherwiseA : t.renderingIsNotSetUpOn}
        checked={values.ignore_rendering}
        disabled={!isRenderingConfigured}
        onChange={(ignore_rendering) => set({ ignore_rendering, ...(ignore_rendering && { pdf: false, screenshot: false }) })}
      />
    </OptionSection>
  )
}

function Filtering({ options: { field } }: { options: PageOptions }) {
  return (
    <OptionSection title={t.contentFiltering} description={t.cssSelectorsOfWhatToLeave}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TagField label={t.excludeElements} {...field('exclude_tags')} placeholder={t.advert} />
        <TagField label={t.includeElements} {...field('include_tags')} placeholder={t.article} />
      </div>
    </OptionSection>
  )
}

function Documents({ options: { field } }: { options: PageOptions }) {
  return (
    <OptionSection title={t.documents} description={t.kindsOfDocumentsFeedsAreXml(DOCUMENT_TYPES.join(', '))}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TagField label={t.keepOnly} {...field('keep_types')} placeholder={t.pdf} />
        <TagField label={t.skip} {...field('skip_types')} placeholder={t.xlsx} />
      </div>
    </OptionSection>
  )
}

function Timing({ options: { field }, renders, why }: RenderingProps) {
  return (
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
  )
}

function Actions({ options: { set, shown, values }, renders, why }: RenderingProps) {
  return (
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
  )
}

const BLOCKED = {
  images: t.picturesAreNotLoaded,
  media: t.videosAndSoundsAreNotLoaded,
  fonts: t.lettersAreDrawnWithTheFonts,
  ads: t.knownAdvertisingHostsAreNotAsked,
} as const

function BrowserOptions({ options: { set, shown, values }, renders, why }: RenderingProps) {
  return (
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
          label={t.block(blockable[name])}
          description={renders ? BLOCKED[name] : why}
          checked={renders && values.block.includes(name)}
          disabled={!renders}
          onChange={(isOn) => set({ block: BLOCKABLE.filter((one) => (one === name ? isOn : values.block.includes(one))) })}
        />
      ))}
      <FieldError error={shown('block')} className="mt-2" />
    </OptionSection>
  )
}

function CookiesAndLocale({ options: { field }, renders, why }: RenderingProps) {
  return (
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
  )
}
