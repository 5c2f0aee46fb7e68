/** Creates or changes a proxy server, and can test the values of the form before they are saved. */
import { useEffect, useRef } from 'react'
import type { ProxyServer, ProxyType } from '#contract/proxies.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox, RadioGroup } from '#web/ui/form/choice.tsx'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { NumberField, PasswordField, SelectField, TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/proxies.ts'
import { TYPE_LABELS } from './proxy-form.ts'
import type { PasswordAct } from './proxy-form.ts'
import { useProxyForm } from './use-proxy-form.ts'
import type { ProxyFormState } from './use-proxy-form.ts'

const TYPES = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value: value as ProxyType, label }))

type ProxyDialogProps = {
  /** The one to change; null for a new one. */
  proxy: ProxyServer | null
  onClose: () => void
  onSaved?: (proxy: ProxyServer) => void
}

/** Mounted only while it is open, so that it starts with fresh values each time. */
export function ProxyDialog({ proxy, onClose, onSaved }: ProxyDialogProps) {
  const { box, ...form } = useProxyForm(proxy, (saved) => {
    onSaved?.(saved)
    onClose()
  })
  const isNew = proxy === null
  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={isNew ? t.addProxy : t.editTitle(proxy.name)}
      onSubmit={form.save}
      footer={
        <>
          <Button className="mr-auto max-sm:w-full" busy={form.isTesting} busyLabel={t.testing} onClick={form.test}>
            {t.testProxy}
          </Button>
          <FormButtons onCancel={onClose} busy={form.isSaving} busyLabel={isNew ? t.creating : t.updating}>
            {isNew ? t.create : t.update}
          </FormButtons>
        </>
      }
    >
      <div ref={box} className="grid gap-4 text-ink">
        <NameAndSlug form={form} />
        <Address form={form} />
        <Credentials form={form} proxy={proxy} />
        <Checkbox
          label={t.setAsDefault}
          hint={t.crawlsAndSitemapsThatNameNo}
          checked={form.values.is_default}
          onChange={(is_default) => form.set({ is_default })}
          error={form.shown('is_default')}
        />
        <Outcome form={form} />
      </div>
    </Dialog>
  )
}

function NameAndSlug({ form: { set, shown, values } }: { form: FormState }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t.name}
        value={values.name}
        onChange={(name) => set({ name })}
        error={shown('name')}
        maxLength={255}
        autoComplete="off"
      />
      <TextField
        label={t.slug}
        hint={t.lowerCaseNoSpacesRequestsOf}
        value={values.slug}
        onChange={(slug) => set({ slug })}
        error={shown('slug')}
        {...NO_WORDS}
      />
    </div>
  )
}

function Address({ form: { set, shown, values } }: { form: FormState }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] gap-4 sm:grid-cols-[8rem_minmax(0,1fr)_7rem]">
      <SelectField
        className="max-sm:col-span-2"
        label={t.type}
        value={values.proxy_type}
        onChange={(proxy_type) => set({ proxy_type })}
        options={TYPES}
        error={shown('proxy_type')}
      />
      <TextField
        label={t.host}
        value={values.host}
        onChange={(host) => set({ host })}
        error={shown('host')}
        placeholder={t.proxyExampleCom}
        {...NO_WORDS}
      />
      <NumberField label={t.port} value={values.port} onChange={(port) => set({ port })} error={shown('port')} placeholder="1–65535" />
    </div>
  )
}

function Credentials({ form, proxy }: FieldsProps) {
  return (
    <>
      <TextField
        label={t.username}
        hint={t.leaveItEmptyForAProxy}
        value={form.values.username}
        onChange={(username) => form.set({ username })}
        error={form.shown('username')}
        {...NO_WORDS}
      />
      <Password form={form} proxy={proxy} />
    </>
  )
}

type FormState = Omit<ProxyFormState, 'box'>

/** For fields whose text is not language. */
const NO_WORDS = { maxLength: 255, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

type FieldsProps = { form: FormState; proxy: ProxyServer | null }

/** The result of the test, or the server's error that belongs to no field. Scrolls into view, because it is at the end of a long form. */
function Outcome({ form: { fault, origin } }: { form: FormState }) {
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

/** A stored password is never shown: the user keeps it, removes it, or sets another one. */
function Password({ proxy, form: { set, shown, values } }: FieldsProps) {
  const box = (
    <PasswordField
      label={proxy === null ? t.password : t.newPassword}
      value={values.password}
      onChange={(password) => set({ password })}
      error={shown('password')}
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
      <RadioGroup label={t.password} value={values.passwordAct} onChange={(passwordAct) => set({ passwordAct })} options={acts} />
      {values.passwordAct === 'set' && box}
    </fieldset>
  )
}
