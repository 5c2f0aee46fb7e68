/** How a program connects: a key of the team, and the call that starts a crawl with it. */
import { useState } from 'react'
import { createCrawl } from '#contract/crawls.ts'
import { listApiKeys } from '#contract/teams.ts'
import type { ApiKey } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { ErrorState, Notice, Skeleton } from '#web/ui/feedback.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { KeyIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toaster.tsx'

export function ApiHub() {
  const { data: keys, error, isValidating, mutate } = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  return (
    <Card>
      <CardHead title="API and integration hub" />
      {keys ? (
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {keys.results.length === 0 ? (
            <Notice
              title="No API key yet"
              action={
                <ButtonLink size="small" icon={KeyIcon} href={PATHS.apiKeys}>
                  API Keys
                </ButtonLink>
              }
            >
              Create a key, and the call below works from any program.
            </Notice>
          ) : null}
          <Sample keys={keys.results} />
        </CardBody>
      ) : error ? (
        <ErrorState title="Failed to load API keys" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <CardBody className="grid gap-4">
          <Skeleton className="h-9 rounded-control" />
          <Skeleton className="h-36 rounded-control" />
        </CardBody>
      )}
    </Card>
  )
}

function Sample({ keys }: { keys: readonly ApiKey[] }) {
  const [chosen, setChosen] = useState('')
  const key = keys.find(({ uuid }) => uuid === chosen) ?? keys[0]
  return (
    <>
      {key && (
        <SelectField
          label="Key"
          icon={KeyIcon}
          value={key.uuid}
          onChange={setChosen}
          options={keys.map(({ uuid, name, key: secret }) => ({ value: uuid, label: `${name} (***${secret.slice(-4)})` }))}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h3 className="text-table font-medium">Start a crawl from the command line</h3>
        <CodeBlock
          label="Start a crawl with curl"
          language="bash"
          wrap
          code={sampleOf(key ? `***${key.key.slice(-4)}` : 'YOUR_API_KEY')}
          copyText={sampleOf(key?.key ?? 'YOUR_API_KEY')}
          onCopied={(done) => (done ? toast.success('Copied') : toast.error('Failed to copy'))}
        />
      </div>
    </>
  )
}

/** The real key is copied and never shown. */
const sampleOf = (secret: string) => `curl ${runtimeConfig.apiUrl || window.location.origin}${createCrawl.path} \\
  -H 'X-API-Key: ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com"}'`
