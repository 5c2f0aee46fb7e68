/**
 * One operation: description, parameters, responses, and a form to call it. The head is always rendered; the rest is rendered when it
 * comes near the visible part of the page.
 */
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { ApiDocument, ApiMedia, ApiOperation, ApiParameter, ApiResponse } from '#contract/reference.ts'
import { KEY_PLACEHOLDER } from '#web/runs/shared/code-samples.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { CloseIcon, LinkIcon, PlayIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/reference.ts'
import { DOCUMENT_LANGUAGE, responseOf, successOf } from './document.ts'
import type { Call } from './document.ts'
import { exampleText } from './examples.ts'
import { MethodBadge } from './method-badge.tsx'
import { Line, Prose } from './prose.tsx'
import { curlOf, requestOf } from './request.ts'
import type { Draft } from './request.ts'
import { alternativesOf, fieldsOf, typeText } from './schema-texts.ts'
import { FieldRow, Folded, SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'
import type { KeyChoice } from './try-it.tsx'

export type OperationSectionProps = { document: ApiDocument; call: Call; baseUrl: string; choice: KeyChoice }

export function OperationSection({ document, call, baseUrl, choice }: OperationSectionProps) {
  const { id, method, path, operation } = call
  const section = useRef<HTMLElement>(null)
  const isNear = useNear(section)
  const [isTrying, setTrying] = useState(false)
  return (
    <section
      ref={section}
      id={id}
      aria-labelledby={`${id}-title`}
      className="@container grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-4 border-t border-line py-8 xl:scroll-mt-2"
    >
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2">
        <h3 id={`${id}-title`} className="group flex items-center gap-2 text-section font-semibold">
          <span lang={DOCUMENT_LANGUAGE} className="min-w-0 wrap-anywhere">
            {operation.summary}
          </span>
          <a
            href={`#${id}`}
            aria-label={t.linkTo(operation.summary)}
            className="rounded-small text-faint opacity-0 transition-opacity group-hover:opacity-100 hover:text-ink focus-visible:opacity-100"
          >
            <LinkIcon />
          </a>
        </h3>
        <Button
          size="small"
          icon={isTrying ? CloseIcon : PlayIcon}
          aria-expanded={isTrying}
          aria-label={`${isTrying ? t.close : t.tryIt}: ${operation.summary}`}
          onClick={() => setTrying(!isTrying)}
        >
          {isTrying ? t.close : t.tryIt}
        </Button>
        <p className="col-span-full flex min-w-0 items-start gap-2">
          <MethodBadge method={method} />
          <code className="min-w-0 text-table/5 wrap-anywhere">{path}</code>
        </p>
      </div>
      {isNear || isTrying ? (
        <OperationBody document={document} call={call} baseUrl={baseUrl} choice={choice} isTrying={isTrying} />
      ) : (
        // A placeholder about as high as the content, so that everything below hardly moves when the content is rendered.
        <div style={{ height: estimatedHeight(document, operation) }} />
      )}
    </section>
  )
}

const NEAR = '900px 0px'

/** Whether the element has ever been near the visible part of the page. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !element.current) return
    const watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element, isNear])
  return isNear
}

const ROW = 64
const LINE = 20
const FRAME = 260

function estimatedHeight(document: ApiDocument, operation: ApiOperation): number {
  const rows = (operation.parameters?.length ?? 0) + 4
  const { media, type } = successOf(document, operation)
  const example = exampleText(document, media, type).split('\n').length
  return FRAME + Math.max(rows * ROW, Math.min(example, 18) * LINE + 160)
}

function OperationBody({ document, call, baseUrl, choice, isTrying }: OperationSectionProps & { isTrying: boolean }) {
  const { operation } = call
  const [draft, setDraft] = useState<Draft>(() => ({ values: {}, body: exampleText(document, bodyOf(operation)) }))
  const request = requestOf(call, draft, baseUrl)
  const secret = choice.keys?.find(({ uuid }) => uuid === choice.keyId)?.key ?? KEY_PLACEHOLDER
  const success = successOf(document, operation)
  const example = exampleText(document, success.media, success.type)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 @min-[800px]:grid-cols-[minmax(0,1fr)_360px]">
      {isTrying && (
        <div className="min-w-0 @min-[800px]:col-span-2">
          <TryIt document={document} call={call} draft={draft} onDraft={setDraft} request={request} choice={choice} />
        </div>
      )}
      <div className="grid min-w-0 content-start gap-6">
        {operation.description && <Prose text={operation.description} />}
        <Parameters document={document} operation={operation} />
        <Body document={document} operation={operation} />
        <Answers document={document} operation={operation} />
      </div>
      <div className="grid min-w-0 content-start gap-4 self-start @min-[800px]:sticky @min-[800px]:top-20">
        <div className="grid min-w-0 gap-2">
          <h4 className="text-table font-medium text-soft">{t.cURL}</h4>
          <CodeBlock
            label={t.cURLOf(operation.summary)}
            code={curlOf(request, secret, success.type)}
            language="bash"
            wrap
            className="[&_pre]:max-h-[32vh]"
            onCopied={(done) => (done ? toast.success(t.copiedToTheClipboard) : toast.error(t.theBrowserRefusedToCopy))}
          />
        </div>
        <div className="grid min-w-0 gap-2">
          <h4 className="flex items-center gap-2 text-table font-medium text-soft">
            {t.exampleAnswerOfStatus(<Chip tone="success">{success.status}</Chip>)}
          </h4>
          {example ? (
            <CodeBlock
              label={t.exampleAnswerOf(operation.summary)}
              code={example}
              language={success.type === 'application/json' ? 'json' : 'text'}
              wrap
              className="[&_pre]:max-h-[40vh]"
            />
          ) : (
            <p className="text-table text-soft">{success.type ? <>{t.aFileOfTheType(<code>{success.type}</code>)}</> : t.emptyBody}</p>
          )}
        </div>
      </div>
    </div>
  )
}

const bodyOf = ({ requestBody }: ApiOperation): ApiMedia | undefined => requestBody?.content['application/json']

const PLACES: readonly { place: ApiParameter['in']; title: string }[] = [
  { place: 'path', title: t.path },
  { place: 'query', title: t.query },
  { place: 'header', title: t.headers },
]

type PartProps = { document: ApiDocument; operation: ApiOperation }

function Parameters({ document, operation }: PartProps) {
  return PLACES.map(({ place, title }) => {
    const parameters = operation.parameters?.filter((parameter) => parameter.in === place) ?? []
    if (parameters.length === 0) return null
    return (
      <div key={place} className="grid min-w-0 gap-2">
        <h4 className="text-table font-semibold">{title}</h4>
        <ul aria-label={t.parameters(title)} className="min-w-0 divide-y divide-line rounded-control border border-line bg-surface">
          {parameters.map(({ name, schema, required = false, description, deprecated = false }) => (
            <li key={name} className="px-3 py-2.5">
              <FieldRow
                document={document}
                name={name}
                schema={schema}
                required={required}
                description={description}
                deprecated={deprecated}
              />
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

function Body({ document, operation }: PartProps) {
  const schema = bodyOf(operation)?.schema
  if (!schema) return null
  return (
    <div className="grid min-w-0 gap-2">
      <h4 className="text-table font-semibold">{t.bodyOf(<span className="font-normal text-faint">{t.applicationJson}</span>)}</h4>
      <SchemaView document={document} schema={schema} label={t.fieldsOfTheBody} marksRequired />
    </div>
  )
}

function Answers({ document, operation }: PartProps) {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({ status, response: responseOf(document, response) }))
  const isGood = ({ status }: { status: string }) => status.startsWith('2')
  const refusals = answers.filter((answer) => !isGood(answer))
  return (
    <div className="grid min-w-0 gap-2">
      <h4 className="text-table font-semibold">{t.answers}</h4>
      <ul aria-label={t.answers} className="min-w-0 divide-y divide-line rounded-control border border-line bg-surface">
        {answers.filter(isGood).map(({ status, response }) => (
          <Success key={status} document={document} status={status} response={response} />
        ))}
        {refusals.length > 0 && (
          <li className="px-3 py-2.5">
            <Folded title={t.errorsAre(refusals.map(({ status }) => (status === 'default' ? t.others : status)).join(', '))}>
              {() => (
                <ul aria-label={t.errors} className="grid min-w-0 gap-3">
                  {refusals.map(({ status, response }) => (
                    <Refusal key={status} document={document} status={status} response={response} />
                  ))}
                </ul>
              )}
            </Folded>
          </li>
        )}
      </ul>
    </div>
  )
}

type AnswerProps = { document: ApiDocument; status: string; response: ApiResponse | undefined }

function Success({ document, status, response }: AnswerProps) {
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? []
  const event = media?.['x-event']
  const schema = event ?? media?.schema
  const hasInside = schema && fieldsOf(document, schema).length + alternativesOf(document, schema).length > 0
  return (
    <li className="grid min-w-0 gap-2 px-3 py-2.5">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
        <Chip tone="success">{status}</Chip>
        <span className="min-w-0 text-table text-soft">
          <Line text={response?.description ?? ''} />
        </span>
        {type && <span className="font-mono text-label text-faint">{type}</span>}
        {schema && !hasInside && <span className="font-mono text-label text-faint">{typeText(schema)}</span>}
      </div>
      {schema && hasInside && (
        <Folded title={event ? t.events : t.fields} about={t.theAnswer(status)} startsOpen>
          {() => <SchemaView document={document} schema={schema} label={t.fieldsOfTheAnswer(status)} />}
        </Folded>
      )}
    </li>
  )
}

function Refusal({ document, status, response }: AnswerProps) {
  const media = response?.content?.['application/json']
  const headers = Object.keys(response?.headers ?? {})
  return (
    <li className="grid min-w-0 gap-1.5">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
        <Chip>{status === 'default' ? t.others : status}</Chip>
        <span className="min-w-0 text-table text-soft">
          <Line text={response?.description ?? ''} />
        </span>
      </div>
      {headers.length > 0 && <p className="text-label text-faint">{t.withTheHeader(<code>{headers.join(', ')}</code>)}</p>}
      {media && (
        <Folded title={t.example} about={status}>
          {() => <CodeBlock label={t.exampleOf(status)} code={exampleText(document, media)} language="json" wrap />}
        </Folded>
      )}
    </li>
  )
}
