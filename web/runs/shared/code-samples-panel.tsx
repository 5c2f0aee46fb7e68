/** How to send the form's request from a program: four languages, with a key of the team once one is chosen. */
import { useState } from 'react'
import { isWholeKey } from '#contract/masked-keys.ts'
import { listApiKeys } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { apiAddress } from '#web/state/runtime-config.ts'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import type { CodeLanguage } from '#web/ui/code/code-block.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { Link } from 'wouter'
import { codeSample } from './code-samples.ts'
import type { SampleKind, SampleLanguage } from './code-samples.ts'

const LANGUAGES: readonly { value: SampleLanguage; label: string; colours: CodeLanguage; guide: string; guideLabel: string }[] = [
  { value: 'curl', label: 'cURL', colours: 'bash', guide: 'https://curl.se/docs/', guideLabel: 'curl documentation' },
  {
    value: 'python',
    label: 'Python',
    colours: 'python',
    guide: 'https://docs.python.org/3/library/urllib.request.html',
    guideLabel: 'urllib.request documentation',
  },
  {
    value: 'node',
    label: 'Node.js',
    colours: 'javascript',
    guide: 'https://nodejs.org/api/globals.html#fetch',
    guideLabel: 'fetch in Node.js',
  },
  { value: 'go', label: 'Go', colours: 'go', guide: 'https://pkg.go.dev/net/http', guideLabel: 'net/http documentation' },
]

/** `body` null: there is nothing to show yet, and `empty` says what is missing. */
export function CodeSamplesPanel({ body, kind, empty }: { body: unknown; kind: SampleKind; empty: string }) {
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const [keyId, setKeyId] = useState('')
  const found = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  const keys = found.data?.results.filter(isWholeKey)
  if (body === null)
    return (
      <EmptyState title="No request yet" net="plain">
        {empty}
      </EmptyState>
    )
  const chosen = keys?.find(({ uuid }) => uuid === keyId)
  const baseUrl = apiAddress()
  const sample = codeSample(language, { baseUrl, apiKey: chosen?.key ?? null, body, kind })
  const shown = LANGUAGES.find(({ value }) => value === language)
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <Segmented label="Language" value={language} onChange={setLanguage} options={LANGUAGES} />
        <SelectField
          className="w-full sm:w-72"
          label="API key"
          hint={
            keys?.length === 0 ? (
              <>
                You have no key of your own yet.{' '}
                <Link href={pathTo('apiKeys')} className="link">
                  Create one
                </Link>
              </>
            ) : undefined
          }
          value={chosen ? keyId : ''}
          onChange={setKeyId}
          options={[
            { value: '', label: 'YOUR_API_KEY (placeholder)' },
            ...(keys ?? []).map(({ uuid, name, key }) => ({ value: uuid, label: `${name} (${key.slice(0, 6)}…)` })),
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-table text-soft">
        <span>Nothing to install.</span>
        {shown && (
          <a href={shown.guide} target="_blank" rel="noreferrer" className="link">
            {shown.guideLabel}
          </a>
        )}
      </div>
      <CodeBlock
        label={`${shown?.label ?? ''} example`}
        code={sample.code}
        language={shown?.colours ?? 'text'}
        onCopied={(done) => (done ? toast.success('Copied to the clipboard') : toast.error('The browser refused to copy'))}
      />
    </div>
  )
}
