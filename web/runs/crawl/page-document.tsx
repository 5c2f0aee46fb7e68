/** One stored page in all its views: rendered text, raw Markdown, plugin results, JSON, HTML, links, metadata, attachments. */
import { useEffect, useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { ResultDocument } from '#contract/crawls.ts'
import { noteStep } from '#web/state/steps-taken.ts'
import { fileNameOf, saveFile } from '#web/runs/shared/save-file.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { AttachmentIcon, CheckIcon, CopyIcon, DownloadIcon, ExternalIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import { OutsideLink, safeHref } from '#web/ui/outside-link.tsx'
import * as t from '#texts/stored-page.ts'
import { metadataGroups, statusTone } from './page-texts.ts'
import { RenderedMarkdown } from './rendered-markdown.tsx'
import { statusCodeOf, useDocument } from './use-crawl.ts'
import type { PageRow } from './use-crawl.ts'

type View = 'markdown' | 'extraction' | 'json' | 'html' | 'links' | 'metadata' | 'attachments'

/** The parent limits the height; the page scrolls inside. */
export function PageDocument({ runId, row, actions }: { runId: string; row: PageRow; actions?: ReactNode }) {
  const { document, failed, retry } = useDocument(runId, row)
  useEffect(() => {
    if (document !== null) noteStep('read')
  }, [document])
  const [view, setView] = useState<View>('markdown')
  const [raw, setRaw] = useState<'read' | 'raw'>('read')
  const name = useId()
  const { copy, copied } = useCopy()
  const tabs = viewsOf(document, row.attachments.length)
  // Another page may lack the selected view.
  const shown = tabs.some(({ id }) => id === view) ? view : 'markdown'
  const text = useMemo(() => (document === null ? '' : textOf(document, row, shown)), [document, row, shown])
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-none items-center gap-1 border-b border-line pr-2 pl-4 sm:pl-5 print:hidden">
        <div className="min-w-0 flex-1 *:border-b-0 **:[[role=tab]]:h-11.5">
          <Tabs name={name} label={t.page} tabs={tabs} value={shown} onChange={setView} dense />
        </div>
        <IconButton
          label={copied === null ? t.copy : t.copied}
          icon={copied === null ? CopyIcon : CheckIcon}
          disabled={document === null}
          onClick={() => void copy(text).then((done) => done || toast.error(t.theBrowserRefusedToCopy))}
        />
        <IconButton
          label={t.downloadJSON}
          icon={DownloadIcon}
          disabled={document === null}
          onClick={() => document && saveFile(`${fileNameOf(row.url)}.json`, JSON.stringify(document, null, 2))}
        />
        {actions}
      </div>
      <TabPanel
        key={row.uuid}
        name={name}
        id={shown}
        value={shown}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 sm:p-6 print:block print:space-y-4 print:overflow-visible"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <PageUrl row={row} status={statusCodeOf(row) ?? document?.metadata['status_code'] ?? null} />
          {shown === 'markdown' && (
            <Segmented
              label={t.howTheTextIsShown}
              value={raw}
              onChange={setRaw}
              options={[
                { value: 'read', label: t.read },
                { value: 'raw', label: t.raw },
              ]}
            />
          )}
        </div>
        {failed ? (
          <ErrorState title={t.thePageCouldNotBeLoaded} onRetry={retry}>
            {t.itIsStoredTryAgainIn}
          </ErrorState>
        ) : document === null ? (
          <Loading>{t.loadingThePage}</Loading>
        ) : (
          <ViewContent document={document} row={row} view={shown} raw={raw === 'raw'} text={text} />
        )}
      </TabPanel>
    </div>
  )
}

function PageUrl({ row, status }: { row: PageRow; status: string | null }) {
  const href = safeHref(row.url)
  return (
    <p className="flex min-w-0 max-w-full items-center gap-2 text-label text-faint">
      {status && <Chip tone={statusTone(status)}>{status}</Chip>}
      {href === null ? (
        <span className="min-w-0 truncate">{row.url}</span>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noreferrer noopener nofollow"
          className="flex min-w-0 items-center gap-2 hover:text-ink hover:underline"
        >
          <span className="min-w-0 truncate">{row.url}</span>
          <ExternalIcon className="size-3.5" />
          <span className="sr-only">{t.opensInANewTab}</span>
        </a>
      )}
    </p>
  )
}

function viewsOf(document: ResultDocument | null, attachments: number) {
  return [
    { id: 'markdown' as const, label: t.markdown },
    ...(document?.extraction === undefined ? [] : [{ id: 'extraction' as const, label: t.extraction }]),
    { id: 'json' as const, label: t.json },
    ...(document?.html === undefined ? [] : [{ id: 'html' as const, label: t.html }]),
    ...(document?.links === undefined ? [] : [{ id: 'links' as const, label: t.links, count: document.links.length }]),
    { id: 'metadata' as const, label: t.metadata },
    ...(attachments === 0 ? [] : [{ id: 'attachments' as const, label: t.attachments, count: attachments }]),
  ]
}

/** The text for the copy button. */
function textOf(document: ResultDocument, row: PageRow, view: View): string {
  switch (view) {
    case 'markdown':
      return document.markdown
    case 'extraction':
      return JSON.stringify(document.extraction, null, 2)
    case 'json':
      return JSON.stringify({ ...row, statusCode: undefined, result: document }, null, 2)
    case 'html':
      return document.html ?? ''
    case 'links':
      return (document.links ?? []).join('\n')
    case 'metadata':
      return JSON.stringify(document.metadata, null, 2)
    case 'attachments':
      return row.attachments.map(({ attachment }) => attachment).join('\n')
  }
}

function ViewContent({
  document,
  row,
  view,
  raw,
  text,
}: {
  document: ResultDocument
  row: PageRow
  view: View
  raw: boolean
  text: string
}) {
  switch (view) {
    case 'markdown':
      return raw ? (
        <CodeBlock label={t.markdown} code={text} language="markdown" wrap />
      ) : (
        <RenderedMarkdown key={row.uuid} markdown={document.markdown} language={document.metadata['language'] ?? null} />
      )
    case 'extraction':
      return <CodeBlock label={t.extraction} code={text} language="json" wrap />
    case 'json':
      return <CodeBlock label={t.json} code={text} language="json" wrap />
    case 'html':
      return <CodeBlock label={t.html} code={text} language="html" wrap />
    case 'links':
      return <Links links={document.links ?? []} />
    case 'metadata':
      return <Metadata metadata={document.metadata} />
    case 'attachments':
      return <Attachments row={row} />
  }
}

/** Links that "show more" adds: a thousand take a few dozen milliseconds. */
const LINKS_STEP = 1000

function Links({ links }: { links: readonly string[] }) {
  const [most, setMost] = useState(LINKS_STEP)
  if (links.length === 0) return <EmptyState net="plain" title={t.noLinksOnThisPage} />
  return (
    <div className="grid gap-3">
      <ul className="grid text-table">
        {links.slice(0, most).map((link) => (
          <li key={link} className="border-b border-line py-1.5 wrap-anywhere last:border-b-0">
            <OutsideLink url={link} />
          </li>
        ))}
      </ul>
      {links.length > most && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-label text-soft">
          <span className="num">{t.theFirstOf(numberText(most), t.linkCount(links.length))}</span>
          <Button size="small" onClick={() => setMost(most + LINKS_STEP)}>
            {t.showMore}
          </Button>
        </div>
      )}
    </div>
  )
}

function Metadata({ metadata }: { metadata: ResultDocument['metadata'] }) {
  const { known, elements } = metadataGroups(metadata)
  if (known.length + elements.length === 0) return <EmptyState net="plain" title={t.noMetadata} />
  return (
    <div className="grid gap-6">
      {known.length > 0 && <MetadataList entries={known} />}
      {elements.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-label font-medium text-soft">{t.metadataElementsOfThePage}</h3>
          <MetadataList entries={elements} />
        </section>
      )}
    </div>
  )
}

function MetadataList({ entries }: { entries: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className="text-table">
      {entries.map(([key, value]) => (
        <div
          key={key}
          className="grid gap-x-6 gap-y-0.5 border-b border-line py-2 last:border-b-0 sm:grid-cols-[minmax(8rem,12rem)_minmax(0,1fr)]"
        >
          <dt className="text-soft wrap-anywhere">{key}</dt>
          <dd dir="auto" className="text-left wrap-anywhere">
            {value ?? <span className="text-faint">{t.none}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Attachments({ row }: { row: PageRow }) {
  return (
    <ul className="grid gap-3">
      {row.attachments.map((file) => {
        const href = safeHref(file.attachment)
        return (
          <li key={file.uuid} className="flex flex-wrap items-center gap-3 rounded-control border border-line p-3 text-table">
            {file.attachment_type === 'screenshot' && href !== null ? (
              <a href={href} target="_blank" rel="noreferrer" title={t.openInFullSize}>
                <img
                  src={href}
                  alt={t.screenshotOf(row.url)}
                  loading="lazy"
                  className="h-20 w-28 rounded-small border border-line object-cover object-top"
                />
              </a>
            ) : (
              <AttachmentIcon className="text-faint" />
            )}
            <span className="min-w-0 flex-1 truncate font-medium">{file.filename}</span>
            {href !== null && (
              <a href={href} download={file.filename} target="_blank" rel="noreferrer" className="link">
                {t.download}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}
