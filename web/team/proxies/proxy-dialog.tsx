/** Creates or changes a proxy server, and can test the values of the form before they are saved. */
import { useEffect, useRef, useState } from 'react'
import { changeProxy, createProxy, listAllProxies, listProxies, testProxy } from '#contract/proxies.ts'
import type { ProxyServer, ProxyType } from '#contract/proxies.ts'
import type { ApiError } from '#web/api/client.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox, RadioGroup } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { NumberField, PasswordField, SelectField, TextField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/proxies.ts'
import { TYPE_LABELS, addressErrors, changesOf, formOf, newProxy, proxyErrors, suggestedSlug, testOf } from './proxy-form.ts'
import type { PasswordAct, ProxyForm } from './proxy-form.ts'

const TYPES = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value: value as ProxyType, label }))
/** Id of the toast, so that the result of a test replaces the previous one. */
const TEST_TOAST = 'proxy test'
const STALE = { refreshes: [listProxies, listAllProxies] }

type ProxyDialogProps = {
  /** The one to change; null for a new one. */
  proxy: ProxyServer | null
  onClose: () => void
  onSaved?: (proxy: ProxyServer) => void
}

/** Mounted only while it is open, so that it starts with fresh values each time. */
export function ProxyDialog({ proxy, onClose, onSaved }: ProxyDialogProps) {
  const [origin, setOrigin] = useState<string | null>(null)
  const create = useAction(createProxy, STALE)
  const change = useAction(changeProxy, STALE)
  const test = useAction(testProxy)
  const isNew = proxy === null
  const {
    attempt,
    form: fields,
    refusal,
    set: enter,
    shown: words,
    values: form,
  } = useForm({
    initial: () => formOf(proxy),
    judge: (typed) => proxyErrors(typed, isNew),
    submissions: [create, change, test],
  })

  const set = (next: Partial<ProxyForm>) => {
    const followsName = isNew && next.name !== undefined && form.slug === suggestedSlug(form.name)
    enter({ ...next, ...(followsName && { slug: suggestedSlug(next.name ?? '') }) })
    // The test's result is about the previous values.
    setOrigin(null)
  }

  const save = async () => {
    if (create.busy || change.busy) return
    const changes = isNew ? null : changesOf(form, proxy)
    if (!isNew && changes === null) return void toast.blank(t.nothingHasChanged)
    test.reset()
    const outcome = isNew
      ? await create.run({ body: newProxy(form) })
      : await change.run({ params: { slug: proxy.slug }, body: changes ?? {} })
    if (!outcome.ok) {
      if (!isShown(outcome.error))
        toast.error((isNew ? t.failedToAddTheProxyServer : t.failedToUpdateTheProxyServer)(outcome.error.message))
      return
    }
    toast.success(isNew ? t.proxyServerAdded : t.proxyServerUpdated)
    onSaved?.(outcome.answer)
    onClose()
  }
  const runTest = async () => {
    if (test.busy) return
    setOrigin(null)
    create.reset()
    change.reset()
    const outcome = await test.run({ body: testOf(form, proxy) })
    if (outcome.ok) {
      setOrigin(outcome.answer.origin)
      toast.success(t.testedOrigin(outcome.answer.origin), TEST_TOAST)
      return
    }
    const said = fieldError(outcome.error, 'non_field_errors')
    toast.error(said ?? (isShown(outcome.error) ? t.theProxyServerWasNotTested : outcome.error.message), TEST_TOAST)
  }

  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={isNew ? t.addProxy : t.editTitle(proxy.name)}
      onSubmit={() => attempt(() => void save())}
      footer={
        <>
          <Button
            className="mr-auto max-sm:w-full"
            busy={test.busy}
            busyLabel={t.testing}
            onClick={() => attempt(() => void runTest(), addressErrors)}
          >
            {t.testProxy}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button look="primary" type="submit" busy={create.busy || change.busy} busyLabel={isNew ? t.creating : t.updating}>
            {isNew ? t.create : t.update}
          </Button>
        </>
      }
    >
      <div ref={fields} className="grid gap-4 text-ink">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t.name}
            value={form.name}
            onChange={(name) => set({ name })}
            error={words('name')}
            maxLength={255}
            autoComplete="off"
          />
          <TextField
            label={t.slug}
            hint={t.lowerCaseNoSpacesRequestsOf}
            value={form.slug}
            onChange={(slug) => set({ slug })}
            error={words('slug')}
            maxLength={255}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] gap-4 sm:grid-cols-[8rem_minmax(0,1fr)_7rem]">
          <SelectField
            className="max-sm:col-span-2"
            label={t.type}
            value={form.proxy_type}
            onChange={(proxy_type) => set({ proxy_type })}
            options={TYPES}
            error={words('proxy_type')}
          />
          <TextField
            label={t.host}
            value={form.host}
            onChange={(host) => set({ host })}
            error={words('host')}
            placeholder={t.proxyExampleCom}
            maxLength={255}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <NumberField label={t.port} value={form.port} onChange={(port) => set({ port })} error={words('port')} placeholder="1–65535" />
        </div>
        <TextField
          label={t.username}
          hint={t.leaveItEmptyForAProxy}
          value={form.username}
          onChange={(username) => set({ username })}
          error={words('username')}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Password form={form} proxy={proxy} onChange={set} error={words('password')} />
        <Checkbox
          label={t.setAsDefault}
          hint={t.crawlsAndSitemapsThatNameNo}
          checked={form.is_default}
          onChange={(is_default) => set({ is_default })}
          error={words('is_default')}
        />
        <Outcome origin={origin} fault={fieldError(refusal, 'non_field_errors')} />
      </div>
    </Dialog>
  )
}

/** The result of the test, or the server's error that belongs to no field. Scrolls into view, because it is at the end of a long form. */
function Outcome({ origin, fault }: { origin: string | null; fault: string | undefined }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (origin !== null || fault !== undefined) end.current?.scrollIntoView({ block: 'nearest' })
  }, [origin, fault])
  if (origin === null && fault === undefined) return null
  return (
    <div ref={end} className="scroll-mb-5">
      {fault !== undefined ? (
        <Notice tone="danger" title={fault} role="alert" />
      ) : (
        <Notice tone="success" title={t.theProxyWorks} role="status">
          {t.requestsLeaveFrom(<code className="break-all">{origin}</code>)}
        </Notice>
      )}
    </div>
  )
}

type PasswordProps = {
  form: ProxyForm
  proxy: ProxyServer | null
  onChange: (change: Partial<ProxyForm>) => void
  error: string | undefined
}

/** A stored password is never shown: the user keeps it, removes it, or sets another one. */
function Password({ form, proxy, onChange, error }: PasswordProps) {
  const box = (
    <PasswordField
      label={proxy === null ? t.password : t.newPassword}
      value={form.password}
      onChange={(password) => onChange({ password })}
      error={error}
      maxLength={128}
      autoComplete="new-password"
    />
  )
  if (proxy === null) return box
  const acts: { value: PasswordAct; label: string }[] = [
    { value: 'keep', label: proxy.has_password ? t.keepExisting : t.keepWithout },
    ...(proxy.has_password ? [{ value: 'remove' as const, label: t.remove }] : []),
    { value: 'set', label: t.setOrChange },
  ]
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-table font-medium">{t.password}</legend>
      <RadioGroup label={t.password} value={form.passwordAct} onChange={(passwordAct) => onChange({ passwordAct })} options={acts} />
      {form.passwordAct === 'set' && box}
    </fieldset>
  )
}

const FIELDS = ['name', 'slug', 'proxy_type', 'host', 'port', 'username', 'password', 'is_default', 'non_field_errors']

/** Whether a field shows the error already. */
const isShown = (error: ApiError) => FIELDS.some((name) => fieldError(error, name) !== undefined)
