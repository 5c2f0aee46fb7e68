/** Replaces the form while no web search provider is configured: the providers, where to get them, and the options to set. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { ExternalIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import * as t from '#texts/own-search.ts'

type Provider = {
  name: string
  chip: string
  says: ReactNode
  /** Where to get it. */
  link: { href: string; words: string }
  options: readonly { name: string; value: string }[]
  further?: { words: string; label: string; code: string }
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'SearXNG',
    chip: t.selfHosted,
    says: t.aMetasearchServerOfYourOwn,
    link: { href: 'https://docs.searxng.org/admin/installation-docker.html', words: t.howToRunIt },
    options: [{ name: 'SEARXNG_URL', value: 'http://searxng:8080' }],
    further: {
      words: t.itsSettingsYmlMustAllowAnswers,
      label: t.searXNGSettings,
      code: 'use_default_settings: true\nserver:\n  secret_key: a long random text\n  limiter: false\nsearch:\n  formats: [html, json]',
    },
  },
  {
    name: t.braveSearch,
    chip: t.needsAnAccount,
    says: t.commercialApiOf20,
    link: { href: 'https://api-dashboard.search.brave.com/', words: t.getASubscriptionToken },
    options: [{ name: 'BRAVE_API_KEY', value: 'YOUR_TOKEN' }],
  },
  {
    name: t.googleCustomSearch,
    chip: t.needsAnAccount,
    says: t.commercialApiOf10,
    link: { href: 'https://programmablesearchengine.google.com/', words: t.createASearchEngineAndA },
    options: [
      { name: 'GOOGLE_SEARCH_KEY', value: 'YOUR_API_KEY' },
      { name: 'GOOGLE_SEARCH_CX', value: 'YOUR_SEARCH_ENGINE_ID' },
    ],
  },
]

export function SetUpPanel() {
  return (
    <div className="grid min-w-0 gap-4">
      <Notice tone="warning" title={t.searchOfTheWebIsNot}>
        {t.thereIsNoProviderToAsk(
          <Link href={`${PATHS.search}?in=own`} className="link">
            {t.pagesThatYourCrawlsHaveStored}
          </Link>,
        )}
      </Notice>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-3">
        {PROVIDERS.map((provider) => (
          <ProviderCard key={provider.name} provider={provider} />
        ))}
      </div>
      <Notice title={t.restartAfterwards(runtimeConfig.productName)}>{t.theseAreOptionsOfTheServer(<code>SEARCH_PROVIDERS</code>)}</Notice>
    </div>
  )
}

function ProviderCard({ provider: { name, chip, says, link, options, further } }: { provider: Provider }) {
  return (
    <Card>
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-section font-semibold">{name}</h2>
          <Chip tone={chip === t.selfHosted ? 'accent' : 'plain'}>{chip}</Chip>
        </div>
        <p className="text-table text-soft">{says}</p>
        <a
          href={link.href}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex items-center gap-1.5 justify-self-start text-table"
        >
          {link.words}
          <ExternalIcon className="size-3.5" />
          <span className="sr-only">{t.opensInANewTab}</span>
        </a>
        <CodeBlock
          label={t.options(name)}
          code={options.map((option) => `${option.name}=${option.value}`).join('\n')}
          language="text"
          wrap
        />
        {further && (
          <>
            <p className="text-table text-soft">{further.words}</p>
            <CodeBlock label={further.label} code={further.code} language="text" wrap />
          </>
        )}
      </div>
    </Card>
  )
}
