/** The form of a proxy server: creates or changes it, and tests its values before they are saved. */
import { useState } from 'react'
import { changeProxy, createProxy, listAllProxies, listProxies, testProxy } from '#contract/proxies.ts'
import type { ProxyServer } from '#contract/proxies.ts'
import type { ApiError } from '#web/api/client.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/proxies.ts'
import { addressErrors, changesOf, formOf, newProxy, proxyErrors, suggestedSlug, testOf } from './proxy-form.ts'
import type { ProxyForm } from './proxy-form.ts'

/** Id of the toast, so that the result of a test replaces the previous one. */
const TEST_TOAST = 'proxy test'
const STALE = { refreshes: [listProxies, listAllProxies] }
const FIELDS = ['name', 'slug', 'proxy_type', 'host', 'port', 'username', 'password', 'is_default', 'non_field_errors']

export type ProxyFormState = ReturnType<typeof useProxyForm>

/**
 * @param proxy    the one to change; null for a new one
 * @param onSaved  called with the stored proxy server
 */
export function useProxyForm(proxy: ProxyServer | null, onSaved: (proxy: ProxyServer) => void) {
  const [origin, setOrigin] = useState<string | null>(null)
  const create = useAction(createProxy, STALE)
  const change = useAction(changeProxy, STALE)
  const test = useAction(testProxy)
  const isNew = proxy === null
  const form = useForm({
    initial: () => formOf(proxy),
    judge: (typed) => proxyErrors(typed, isNew),
    submissions: [create, change, test],
  })
  const { attempt, refusal, values } = form

  const save = async () => {
    if (create.busy || change.busy) return
    const changes = isNew ? null : changesOf(values, proxy)
    if (!isNew && changes === null) return void toast.blank(t.nothingHasChanged)
    test.reset()
    const outcome = isNew
      ? await create.run({ body: newProxy(values) })
      : await change.run({ params: { slug: proxy.slug }, body: changes ?? {} })
    if (outcome.ok) {
      toast.success(isNew ? t.proxyServerAdded : t.proxyServerUpdated)
      return onSaved(outcome.answer)
    }
    if (!isShown(outcome.error)) toast.error((isNew ? t.failedToAddTheProxyServer : t.failedToUpdateTheProxyServer)(outcome.error.message))
  }
  const runTest = async () => {
    if (test.busy) return
    setOrigin(null)
    create.reset()
    change.reset()
    const outcome = await test.run({ body: testOf(values, proxy) })
    if (outcome.ok) {
      setOrigin(outcome.answer.origin)
      toast.success(t.testedOrigin(outcome.answer.origin), TEST_TOAST)
      return
    }
    const said = fieldError(outcome.error, 'non_field_errors')
    toast.error(said ?? (isShown(outcome.error) ? t.theProxyServerWasNotTested : outcome.error.message), TEST_TOAST)
  }
  return {
    box: form.form,
    values,
    shown: form.shown,
    set: (next: Partial<ProxyForm>) => {
      const followsName = isNew && next.name !== undefined && values.slug === suggestedSlug(values.name)
      form.set({ ...next, ...(followsName && { slug: suggestedSlug(next.name ?? '') }) })
      // The test's result is about the previous values.
      setOrigin(null)
    },
    /** The address that requests through the proxy server came from in the test. */
    origin,
    /** The server's error that belongs to no field. */
    fault: fieldError(refusal, 'non_field_errors'),
    save: () => attempt(() => void save()),
    test: () => attempt(() => void runTest(), addressErrors),
    isSaving: create.busy || change.busy,
    isTesting: test.busy,
  }
}

/** Whether a field shows the error already. */
const isShown = (error: ApiError) => FIELDS.some((name) => fieldError(error, name) !== undefined)
