/** How programs connect: one of the team's keys, a call that starts a crawl, and settings of MCP applications. */
import { Suspense, lazy, useState } from 'react'
import { Link } from 'wouter'
import { createCrawl } from '#contract/crawls.ts'
import { isWholeKey } from '#contract/masked-keys.ts'
import { getSettings } from '#contract/settings.ts'
import { listApiKeys } from '#contract/teams.ts'
import type { ApiKey } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { publicApiUrl } from '#web/state/runtime-config.ts'
import { maskedKey } from '#web/team/teams/masked-key.ts'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { ErrorState, Notice, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { CheckIcon, CopyIcon, EyeIcon, EyeOffIcon, KeyIcon } from '#web/ui/icons.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import * as t from '#texts/home.ts'

/** Loaded when its tab is chosen. */
const McpPanel = lazy(async () => ({ default: (await import('./mcp-panel.tsx')).McpPanel }))

const TABS = [
  { id: 'keys', label: t.apiKeys },
  { id: 'mcp', label: t.mcpConfiguration },
] as const
type TabId = (typeof TABS)[number]['id']

export function ApiHub() {
  const { data: keys, error, isValidating, mutate } = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  return (
    <Card>
      <CardHead title={t.apiAndIntegrationHub} />
      {keys ? (
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {keys.results.some(isWholeKey) ? (
            <WithKeys keys={keys.results.filter(isWholeKey)} />
          ) : (
            <WithoutKeys title={keys.count === 0 ? t.noAPIKeyYet : t.youHaveNoAPIKeyOf} />
          )}
        </CardBody>
      ) : error ? (
        <ErrorState title={t.failedToLoadAPIKeys} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <CardBody className="grid gap-4">
          <Skeleton className="h-9 rounded-control" />
          <Skeleton className="h-36 rounded-control" />
        </CardBody>
      )}
    </Card>
  )
}

function WithoutKeys({ title }: { title: string }) {
  return (
    <>
      <Notice
        title={title}
        action={
          <ButtonLink size="small" icon={KeyIcon} href={PATHS.apiKeys}>
            {t.apiKeysTitle}
          </ButtonLink>
        }
      >
        {t.createAKeyAndTheCall}
      </Notice>
      <Sample shown="YOUR_API_KEY" real="YOUR_API_KEY" />
    </>
  )
}

function WithKeys({ keys }: { keys: readonly ApiKey[] }) {
  const { data: settings } = useEndpoint(getSettings)
  const [chosen, setChosen] = useState('')
  const [tab, setTab] = useState<TabId>('keys')
  const key = keys.find(({ uuid }) => uuid === chosen) ?? keys[0]
  if (!key) return null
  const server = settings?.mcp_server ?? ''
  return (
    <>
      <SelectField
        label={t.key}
        icon={KeyIcon}
        value={key.uuid}
        onChange={setChosen}
        options={keys.map(({ uuid, name, key: secret }) => ({ value: uuid, label: `${name} (***${secret.slice(-4)})` }))}
      />
      {server === '' ? (
        <KeyPanel apiKey={key} />
      ) : (
        <>
          <Tabs name="hub" label={t.waysToConnect} dense tabs={TABS} value={tab} onChange={setTab} />
          <TabPanel name="hub" id="keys" value={tab}>
            <KeyPanel apiKey={key} />
          </TabPanel>
          <TabPanel name="hub" id="mcp" value={tab}>
            <Suspense fallback={<Skeleton className="h-36 rounded-control" />}>
              <McpPanel server={server} apiKey={key.key} />
            </Suspense>
          </TabPanel>
        </>
      )}
    </>
  )
}

const hidden = (secret: string) => maskedKey(secret, 4, 5)

function KeyPanel({ apiKey: { uuid, key: secret } }: { apiKey: ApiKey }) {
  const [shown, setShown] = useState<string | null>(null)
  const { copy, copied } = useCopy()
  const isShown = shown === uuid
  const copyIt = async () => {
    if (await copy(secret)) toast.success(t.apiKeyCopied)
    else toast.error(t.failedToCopyTheAPIKey)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex min-h-9 items-center rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-label break-all">{isShown ? secret : hidden(secret)}</code>
        <IconButton
          label={isShown ? t.hideTheKey : t.showTheKey}
          icon={isShown ? EyeOffIcon : EyeIcon}
          onClick={() => setShown(isShown ? null : uuid)}
        />
        <IconButton
          label={copied === null ? t.copyTheKey : t.copied}
          icon={copied === null ? CopyIcon : CheckIcon}
          onClick={() => void copyIt()}
        />
      </div>
      <Sample shown={hidden(secret)} real={secret} />
      <Link href={PATHS.apiKeys} className="link justify-self-start text-table">
        {t.manageAllAPIKeys}
      </Link>
    </div>
  )
}

/** Shows the sample with the masked key, and copies it with the real one. */
function Sample({ shown, real }: { shown: string; real: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-table font-medium">{t.startACrawlFromTheCommand}</h3>
      <CodeBlock
        label={t.startACrawlWithCurl}
        language="bash"
        wrap
        code={sampleOf(shown)}
        copyText={sampleOf(real)}
        onCopied={(done) => (done ? toast.success(t.copied) : toast.error(t.failedToCopySelectTheText))}
      />
    </div>
  )
}

const sampleOf = (secret: string) => `curl ${publicApiUrl()}${createCrawl.path} \\
  -H 'X-API-Key: ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com"}'`
