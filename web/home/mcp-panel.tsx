/** How to configure an application to use this server's tools. The screen shows the key masked; the copy button copies it complete. */
import { useState } from 'react'
import { publicApiUrl, runtimeConfig } from '#web/state/runtime-config.ts'
import { maskedKey } from '#web/team/teams/masked-key.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { cx } from '#web/ui/cx.ts'
import { ExternalIcon, PlusIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/home.ts'
import { mcpApplications, mcpConnection, serverName } from './mcp-applications.ts'

export function McpPanel({ server, apiKey }: { server: string; apiKey: string }) {
  const [chosen, setChosen] = useState('general')
  const base = publicApiUrl()
  const of = (key: string) => mcpApplications(serverName(runtimeConfig.productName), mcpConnection(server, base, key))
  const shown = of(maskedKey(apiKey, 4, 5))
  const real = of(apiKey)
  const at = Math.max(
    0,
    shown.findIndex(({ id }) => id === chosen),
  )
  const application = shown[at]
  if (!application) return null
  const add = real[at]?.add
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div role="group" aria-label={t.application} className="flex flex-wrap gap-1.5">
        {shown.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === application.id}
            onClick={() => setChosen(id)}
            className={cx(
              'h-7 rounded-control border px-2.5 text-table font-medium transition-colors',
              id === application.id
                ? 'border-accent bg-wash text-accent-ink'
                : 'border-line-strong text-soft hover:bg-hover hover:text-ink',
            )}
          >
            {name}
          </button>
        ))}
      </div>
      <p className="text-table text-soft">{application.explains}</p>
      {application.blocks.map(({ label, language, code }, index) => (
        <div key={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {application.blocks.length > 1 && <h3 className="text-table font-medium">{label}</h3>}
          <CodeBlock
            label={t.forText(label, application.name)}
            language={language}
            wrap
            code={code}
            copyText={real[at]?.blocks[index]?.code ?? code}
            onCopied={(done) => (done ? toast.success(t.copied) : toast.error(t.failedToCopy))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {add && (
          <a
            href={add.href}
            className="inline-flex h-7 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-table font-medium hover:bg-hover"
          >
            <PlusIcon className="-ml-0.5 text-faint" />
            {add.label}
          </a>
        )}
        <ButtonLink size="small" look="quiet" icon={ExternalIcon} href={application.guide} external>
          {application.name === t.general ? t.aboutMCP : t.guideFor(application.name)}
        </ButtonLink>
      </div>
    </div>
  )
}
