/** What programs can do with an API key: rendered from the server's own OpenAPI document. */
import { useMemo, useState } from 'react'
import { isWholeKey } from '#contract/masked-keys.ts'
import { getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument } from '#contract/reference.ts'
import { listApiKeys } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { publicApiUrl, apiBase } from '#web/state/runtime-config.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { BracesIcon, CloseIcon, SearchIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/reference.ts'
import { DOCUMENT_LANGUAGE, found, groupsOf, readDocument } from './document.ts'
import { OperationSection } from './operation-section.tsx'
import { Blocks, Line } from './prose.tsx'
import { sectionsOf } from './prose-blocks.ts'
import type { Section } from './prose-blocks.ts'
import { PlaceSelect, SideNavigation } from './reference-navigation.tsx'
import { KeyField } from './try-it.tsx'
import type { KeyChoice } from './try-it.tsx'
import { usePlace } from './use-place.ts'

export function ApiReferenceScreen() {
  const { data, error, isValidating, mutate } = useEndpoint(getTeamSchema)
  const document = useMemo(() => readDocument(data), [data])
  return (
    <>
      <PageHeader title={t.apiReference} description={t.whatYourProgramsCanDoWith}>
        <ButtonLink icon={BracesIcon} href={apiBase + getTeamSchema.path} external>
          {t.openAPIDocument}
        </ButtonLink>
      </PageHeader>
      {document ? (
        <Reference document={document} />
      ) : (
        <Card>
          {error || data !== undefined ? (
            <ErrorState
              title={t.failedToLoadTheAPIReference}
              details={error?.message ?? t.theAnswerOfTheServerIs}
              retrying={isValidating}
              onRetry={() => void mutate()}
            >
              {t.theServerDidNotDescribeIts}
            </ErrorState>
          ) : (
            <Loading>{t.loadingTheAPIReference}</Loading>
          )}
        </Card>
      )}
    </>
  )
}

function Reference({ document }: { document: ApiDocument }) {
  const [query, setQuery] = useState('')
  const [keyId, choose] = useState('')
  const keys = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  const sections = useMemo(() => sectionsOf(document.info.description), [document])
  const groups = useMemo(() => groupsOf(document), [document])
  const shown = useMemo(() => found(groups, query), [groups, query])
  const isSearching = query.trim() !== ''
  const stops = [
    ...(isSearching ? [] : [{ title: t.gettingStarted, stops: sections.map(({ id, title }) => ({ id, title: title || t.introduction })) }]),
    ...shown.map(({ tag, calls }) => ({
      title: tag,
      language: DOCUMENT_LANGUAGE,
      stops: calls.map(({ id, method, operation }) => ({ id, method, title: operation.summary })),
    })),
  ]
  const place = usePlace(stops.flatMap((group) => group.stops.map(({ id }) => id)))
  const choice: KeyChoice = { keys: keys.data?.results.filter(isWholeKey), keyId, choose }
  const baseUrl = publicApiUrl()
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-4 xl:grid-cols-[240px_minmax(0,1fr)]">
      <div className="sticky top-(--topbar) z-10 -mx-4 grid grid-cols-[2fr_3fr] gap-2 border-b border-line bg-page px-4 py-2 sm:-mx-6 sm:px-6 xl:top-[calc(var(--topbar)+24px)] xl:mx-0 xl:flex xl:max-h-[calc(100dvh-var(--topbar)-48px)] xl:flex-col xl:gap-4 xl:border-0 xl:p-0">
        <TextField
          label={t.searchTheReference}
          hideLabel
          type="search"
          icon={SearchIcon}
          placeholder={t.search}
          className="xl:flex-none [&_input::-webkit-search-cancel-button]:hidden"
          suffix={isSearching && <IconButton label={t.clearTheSearch} icon={CloseIcon} className="-mr-1.5" onClick={() => setQuery('')} />}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
          value={query}
          onChange={setQuery}
        />
        <PlaceSelect groups={stops} place={place} />
        <SideNavigation groups={stops} place={place} />
      </div>
      <div className="min-w-0">
        {!isSearching && sections.map((section) => <Chapter key={section.id} section={section} baseUrl={baseUrl} choice={choice} />)}
        {shown.map(({ tag, description, calls }) => (
          <section key={tag} aria-label={tag} className="min-w-0 border-t border-line pt-8 first:border-0 first:pt-0">
            <h2 lang={DOCUMENT_LANGUAGE} className="text-title font-semibold">
              {tag}
            </h2>
            {description && (
              <p className="mt-1 text-soft">
                <Line text={description} />
              </p>
            )}
            <div className="mt-6 min-w-0">
              {calls.map((call) => (
                <OperationSection key={call.id} document={document} call={call} baseUrl={baseUrl} choice={choice} />
              ))}
            </div>
          </section>
        ))}
        {shown.length === 0 && (
          <Card>
            <EmptyState
              net="plain"
              title={t.noOperationHasTheseWords}
              action={<Button onClick={() => setQuery('')}>{t.clearTheSearch}</Button>}
            >
              {t.everyWordMustStandInThe}
            </EmptyState>
          </Card>
        )}
      </div>
    </div>
  )
}

/** A section of the introduction; in the one about keys, users choose a key for all examples. */
function Chapter({ section: { id, title, blocks }, baseUrl, choice }: { section: Section; baseUrl: string; choice: KeyChoice }) {
  return (
    <section id={id} aria-label={title || t.introduction} className="grid min-w-0 scroll-mt-16 gap-3 pb-8 xl:scroll-mt-4">
      {title && (
        <h2 lang={DOCUMENT_LANGUAGE} className="text-section font-semibold">
          {title}
        </h2>
      )}
      <Blocks blocks={blocks} />
      {id === 'introduction' && (
        <div className="grid max-w-read gap-1.5">
          <p className="text-table font-medium">{t.baseURL}</p>
          <CodeBlock label={t.baseURL} code={baseUrl} />
        </div>
      )}
      {id === 'authentication' && (
        <div className="grid max-w-read gap-1.5">
          <KeyField choice={choice} className="max-w-80" />
          <p className="text-label text-faint">{t.theChosenKeyStandsInThe}</p>
        </div>
      )}
    </section>
  )
}
