/** The response: status, time, headers and body. A stream is shown as it arrives; a file can be saved. */
import { saveFile } from '#web/runs/shared/save-file.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { SpinnerIcon, ChevronRightIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import type { ChipTone } from '#web/ui/feedback/status-badge.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/reference.ts'
import type { Answered } from './send-request.ts'

const toneOf = (status: number): ChipTone => (status < 300 ? 'success' : status < 500 ? 'warning' : 'danger')

/**
 * @param name       file name of a saved text, without its extension
 * @param isStopped  the user aborted the request before the response ended
 */
export function AnswerView({ answer, name, isStopped }: { answer: Answered; name: string; isStopped: boolean }) {
  const { status, statusText, tookMs, headers, type, bytes, body, content, isDone } = answer
  const state = isStopped ? t.stopped : isDone ? '' : type === 'text/event-stream' ? t.receivingEvents : t.receiving
  return (
    <section aria-label={t.answer} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-table text-soft">
        <Chip tone={toneOf(status)}>{`${status} ${statusText}`.trim()}</Chip>
        <span className="num">{t.ms(numberText(tookMs))}</span>
        <span className="num">{t.bytes(bytes)}</span>
        {type && <span className="font-mono text-label">{type}</span>}
        <span role="status" className="inline-flex items-center gap-1.5 text-faint">
          {!isDone && !isStopped && <SpinnerIcon className="size-3.5 text-accent" />}
          {state}
        </span>
        {content && (
          <Button
            size="small"
            icon={DownloadIcon}
            className="ml-auto"
            onClick={() => saveFile(body.kind === 'file' ? body.name : `${name}.${EXTENSIONS[type] ?? 'txt'}`, content)}
          >
            {t.download}
          </Button>
        )}
      </div>
      <details className="group text-table">
        <summary className="inline-flex items-center gap-1 rounded-small text-label font-medium text-accent-ink hover:underline">
          <ChevronRightIcon className="size-3.5 transition-transform group-open:rotate-90" />
          {t.headerCount(headers.length)}
        </summary>
        <dl className="mt-2 grid gap-1 rounded-control border border-line px-3 py-2 font-mono text-label">
          {headers.map(([header, value]) => (
            <div key={header} className="flex flex-wrap gap-x-2">
              <dt className="text-soft">{header}:</dt>
              <dd className="min-w-0 wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {body.kind === 'file' ? (
        <p className="text-table text-soft">
          {isDone ? t.thisIsAFile : t.aFileIsOnItsWay}
          <span className="font-mono text-ink">{body.name}</span>
        </p>
      ) : body.text === '' ? (
        isDone && <p className="text-table text-soft">{t.theAnswerIsEmpty}</p>
      ) : (
        <>
          {body.isCut && <p className="text-table text-soft">{t.thisIsTheBeginningOfA}</p>}
          <CodeBlock label={t.answerBody} code={body.text} language={type.includes('json') ? 'json' : 'text'} wrap />
        </>
      )}
    </section>
  )
}

const EXTENSIONS: Readonly<Record<string, string>> = { 'application/json': 'json', 'application/xml': 'xml', 'text/event-stream': 'txt' }
