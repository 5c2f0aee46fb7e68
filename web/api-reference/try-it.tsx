/** A form to send a call with one of the team's keys. */
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ApiDocument, ApiParameter } from '#contract/reference.ts'
import type { ApiKey } from '#contract/teams.ts'
import { useForm } from '#web/api/use-form.ts'
import { PATHS } from '#web/navigation.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { SelectField, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { ChevronRightIcon, PlayIcon, StopIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/reference.ts'
import { AnswerView } from './answer-view.tsx'
import type { Call } from './document.ts'
import { choicesOf, defaultText } from './schema-texts.ts'
import { bodyFault, keyOf, missingOf } from './request.ts'
import type { Draft, Request } from './request.ts'
import { useSending } from './use-sending.ts'
import type { Sending } from './use-sending.ts'

/** The team's keys; the choice applies to every call on the page. */
export type KeyChoice = { keys: readonly ApiKey[] | undefined; keyId: string; choose: (keyId: string) => void }

export type TryItProps = {
  document: ApiDocument
  call: Call
  draft: Draft
  onDraft: (draft: Draft) => void
  /** The request from the entered values. */
  request: Request
  choice: KeyChoice
}

export function TryIt({ document, call, draft, onDraft, request, choice }: TryItProps) {
  const [isAsking, setAsking] = useState(false)
  const secret = choice.keys?.find(({ uuid }) => uuid === choice.keyId)?.key
  const { attempt, field, form, part, shown } = useForm<Draft, 'key'>({
    initial: draft,
    held: [draft, onDraft],
    judge: (entered) => ({
      key: secret === undefined ? t.chooseAKeyToSendWith : undefined,
      ...Object.fromEntries(missingOf(call, entered).map((parameter) => [`values.${keyOf(parameter)}`, t.fieldIsRequired])),
    }),
    atOnce: ({ body }) => ({ body: bodyFault(body) }),
  })
  const { sending, send, stop } = useSending(request, secret)
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form(box.current)
    box.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [form])
  const isBusy = sending.state === 'under way'
  return (
    <form
      ref={box}
      aria-label={t.tryItOf(call.operation.summary)}
      noValidate
      className="grid min-w-0 gap-4 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) attempt(() => (call.method === 'DELETE' ? setAsking(true) : void send()))
      }}
    >
      <KeyField choice={choice} error={shown('key')} />
      <Parameters document={document} call={call} fieldOf={part('values').field} />
      {call.operation.requestBody && (
        <TextAreaField
          label={t.body}
          mono
          rows={Math.min(16, Math.max(4, draft.body.split('\n').length))}
          spellCheck={false}
          autoCapitalize="none"
          {...field('body')}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look={call.method === 'DELETE' ? 'danger' : 'primary'} icon={PlayIcon} busy={isBusy} busyLabel={t.sending}>
          {t.send}
        </Button>
        {isBusy && (
          <Button icon={StopIcon} onClick={stop}>
            {t.stop}
          </Button>
        )}
        <span className="text-label text-faint">{t.thisIsSentForRealTo}</span>
      </div>
      <Outcome sending={sending} call={call} />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          void send()
        }}
        title={t.sendThisRequest}
        action={t.sendDELETE}
      >
        <span className="wrap-anywhere">{t.itIsCarriedOutAtOnce(call.operation.summary, <code>{request.url}</code>)}</span>
      </ConfirmDialog>
    </form>
  )
}

/** What came of the request, or how far it is. */
function Outcome({ sending, call }: { sending: Sending; call: Call }) {
  if (sending.state === 'none') return null
  const { answer, state } = sending
  return (
    <>
      {state === 'failed' && (
        <Notice tone="danger" role="alert" title={answer ? t.theConnectionBrokeBeforeTheAnswer : t.theServerCouldNotBeReached}>
          {t.checkTheConnectionAndSendAgain}
        </Notice>
      )}
      {state === 'stopped' && !answer && <p className="text-table text-soft">{t.stoppedBeforeAnAnswerCame}</p>}
      {answer && <AnswerView answer={answer} name={call.id} isStopped={state !== 'under way' && !answer.isDone} />}
    </>
  )
}

type ParametersProps = {
  document: ApiDocument
  call: Call
  fieldOf: (name: string) => Pick<ParameterFieldProps, 'value' | 'onChange' | 'error'>
}

/** The parameters of the call: those that it requires, and behind a button the others. */
function Parameters({ document, call, fieldOf }: ParametersProps) {
  const parameters = call.operation.parameters ?? []
  const needed = parameters.filter(({ required }) => required)
  const further = parameters.filter(({ required }) => !required)
  const parameterField = (parameter: ApiParameter) => (
    <ParameterField key={keyOf(parameter)} document={document} parameter={parameter} {...fieldOf(keyOf(parameter))} />
  )
  return (
    <>
      {needed.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{needed.map(parameterField)}</div>}
      {further.length > 0 && (
        <details className="group">
          <summary className="inline-flex items-center gap-1 rounded-small text-table font-medium text-accent-ink hover:underline">
            <ChevronRightIcon className="size-3.5 transition-transform group-open:rotate-90" />
            {t.optionalParameters(further.length)}
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">{further.map(parameterField)}</div>
        </details>
      )}
    </>
  )
}

const LAST = 4

export function KeyField({
  choice: { keys, keyId, choose },
  error,
  className,
}: {
  choice: KeyChoice
  error?: string | undefined
  className?: string
}) {
  return (
    <SelectField
      label={t.apiKey}
      error={error}
      {...(className && { className })}
      value={keyId}
      onChange={choose}
      options={[
        { value: '', label: keys === undefined ? t.loadingTheKeys : t.chooseAKey },
        ...(keys ?? []).map(({ uuid, name, key }) => ({ value: uuid, label: `${name} (***${key.slice(-LAST)})` })),
      ]}
      hint={
        keys?.length === 0 ? (
          <>
            {t.youHaveNoKeyOfYour(
              <Link href={PATHS.apiKeys} className="link">
                {t.createOne}
              </Link>,
            )}
          </>
        ) : undefined
      }
    />
  )
}

type ParameterFieldProps = {
  document: ApiDocument
  parameter: ApiParameter
  value: string | undefined
  onChange: (value: string) => void
  error: string | undefined
}

function ParameterField({ document, parameter: { name, in: place, schema }, value = '', onChange, error }: ParameterFieldProps) {
  const label = place === 'query' ? name : `${name} (${place})`
  const words = schema.type === 'boolean' ? ['true', 'false'] : choicesOf(document, schema)
  const usual = defaultText(schema)?.replace(/^"(.*)"$/, '$1')
  if (words.length > 0)
    return (
      <SelectField
        label={label}
        error={error}
        value={value}
        onChange={onChange}
        options={[
          { value: '', label: usual === undefined ? t.notSent : t.notSentUnless(usual) },
          ...words.map((word) => ({ value: word, label: word })),
        ]}
      />
    )
  return (
    <TextField
      label={label}
      error={error}
      value={value}
      onChange={onChange}
      placeholder={usual ?? (schema.format === 'uuid' ? t.uuid : '')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
