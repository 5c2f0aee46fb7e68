/** Code that sends the form's request, in four languages. It contains one of the team's keys once the user has chosen one. */
import { useState } from 'react'
import { isWholeKey } from '#contract/masked-keys.ts'
import { listApiKeys } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { publicApiUrl } from '#web/state/runtime-config.ts'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import type { CodeLanguage } from '#web/ui/code/code-block.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/samples.ts'
import { Link } from 'wouter'
import { codeSample } from './code-samples.ts'
import type { SampleKind, SampleLanguage } from './code-samples.ts'

const LANGUAGES: readonly { value: SampleLanguage; label: string; colours: CodeLanguage; guide: string; guideLabel: string }[] = [
  { value: 'curl', label: t.cURL, colours: 'bash', guide: 'https://curl.se/docs/', guideLabel: t.curlDocumentation },
  {
    value: 'python',
    label: t.python,
    colours: 'python',
    guide: 'https://docs.python.org/3/library/urllib.request.html',
    guideLabel: t.urllibRequestDocumentation,
  },
  {
    value: 'node',
    label: t.nodeJs,
    colours: 'javascript',
    guide: 'https://nodejs.org/api/globals.html#fetch',
    guideLabel: t.fetchInNodeJs,
  },
  { value: 'go', label: t.go, colours: 'go', guide: 'https://pkg.go.dev/net/http', guideLabel: t.netHttpDocumentation },
]

/** `body` is null while there is no request; then `empty` says what is missing. */
export function CodeSamplesPanel({ body, kind, empty }: { body: unknown; kind: SampleKind; empty: string }) {
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const [keyId, setKeyId] = useState('')
  const found = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  const keys = found.data?.results.filter(isWholeKey)
  if (body === null)
    return (
      <EmptyState title={t.noRequestYet} net="plain">
        {empty}
      </EmptyState>
    )
  const chosen = keys?.find(({ uuid }) => uuid === keyId)
  const baseUrl = publicApiUrl()
  const sample = codeSample(language, { baseUrl, apiKey: chosen?.key ?? null, body, kind })
  const shown = LANGUAGES.find(({ value }) => value === language)
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <Segmented label={t.language} value={language} onChange={setLanguage} options={LANGUAGES} />
        <SelectField
          className="w-full sm:w-72"
          label={t.apiKey}
          hint={
            keys?.length === 0 ? (
              <>
                {t.youHaveNoKeyOfYour(
                  <Link href={pathTo('apiKeys')} className="link">
                    {t.createOne}
                  </Link>,
                )}
              </>
            ) : undefined
          }
          value={chosen ? keyId : ''}
          onChange={setKeyId}
          options={[
            { value: '', label: t.yourAPIKEYPlaceholder },
            ...(keys ?? []).map(({ uuid, name, key }) => ({ value: uuid, label: `${name} (${key.slice(0, 6)}…)` })),
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-table text-soft">
        <span>{t.nothingToInstall}</span>
        {shown && (
          <a href={shown.guide} target="_blank" rel="noreferrer" className="link">
            {shown.guideLabel}
          </a>
        )}
      </div>
      <CodeBlock
        label={t.example(shown?.label ?? '')}
        code={sample.code}
        language={shown?.colours ?? 'text'}
        onCopied={(done) => (done ? toast.success(t.copiedToTheClipboard) : toast.error(t.theBrowserRefusedToCopy))}
      />
    </div>
  )
}
