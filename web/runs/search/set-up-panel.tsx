/** In place of the form while no web search provider is configured: which there are, where to get one, which options to set. */
import type { ReactNode } from 'react'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { ExternalIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'

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
    chip: 'Self-hosted',
    says: 'A metasearch server of your own: no account, no fee, and the questions stay in your house. The older searx works too.',
    link: { href: 'https://docs.searxng.org/admin/installation-docker.html', words: 'How to run it' },
    options: [{ name: 'SEARXNG_URL', value: 'http://searxng:8080' }],
    further: {
      words: 'Its settings.yml must allow answers as JSON:',
      label: 'SearXNG settings',
      code: 'use_default_settings: true\nserver:\n  secret_key: a long random text\n  limiter: false\nsearch:\n  formats: [html, json]',
    },
  },
  {
    name: 'Brave Search',
    chip: 'Needs an account',
    says: 'A commercial search API. It gets the questions of your users and counts one call for each 20 results.',
    link: { href: 'https://api-dashboard.search.brave.com/', words: 'Get a subscription token' },
    options: [{ name: 'BRAVE_API_KEY', value: 'YOUR_TOKEN' }],
  },
  {
    name: 'Google Custom Search',
    chip: 'Needs an account',
    says: 'A commercial search API. It gets the questions of your users and counts one call for each 10 results.',
    link: { href: 'https://programmablesearchengine.google.com/', words: 'Create a search engine and a key' },
    options: [
      { name: 'GOOGLE_SEARCH_KEY', value: 'YOUR_API_KEY' },
      { name: 'GOOGLE_SEARCH_CX', value: 'YOUR_SEARCH_ENGINE_ID' },
    ],
  },
]

export function SetUpPanel({ onOwnPages }: { onOwnPages: () => void }) {
  return (
    <div className="grid min-w-0 gap-4">
      <Notice tone="warning" title="Search of the web is not set up">
        There is no provider to ask yet. Choose one below, or several: the next one is asked when one fails. The{' '}
        <button type="button" className="link" onClick={onOwnPages}>
          pages that your crawls have stored
        </button>{' '}
        can be searched without any of it.
      </Notice>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-3">
        {PROVIDERS.map((provider) => (
          <ProviderCard key={provider.name} provider={provider} />
        ))}
      </div>
      <Notice title={`Restart ${runtimeConfig.productName} afterwards`}>
        These are options of the server: set them in its environment, then start it again. Where <code>SEARCH_PROVIDERS</code> is set, the
        provider must be in that list.
      </Notice>
    </div>
  )
}

function ProviderCard({ provider: { name, chip, says, link, options, further } }: { provider: Provider }) {
  return (
    <Card>
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-section font-semibold">{name}</h2>
          <Chip tone={chip === 'Self-hosted' ? 'accent' : 'plain'}>{chip}</Chip>
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
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <CodeBlock
          label={`${name} options`}
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
