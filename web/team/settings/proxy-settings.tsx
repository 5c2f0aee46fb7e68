/** The team's proxy servers: add, change, test, remove. */
import { useState } from 'react'
import { deleteProxy, listAllProxies, listProxies } from '#contract/proxies.ts'
import type { ProxyServer } from '#contract/proxies.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { ProxyDialog } from '#web/team/proxies/proxy-dialog.tsx'
import { ProxyTable } from '#web/team/proxies/proxy-table.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card, CardFoot, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { PAGE_SIZE } from '#web/ui/form/limits.ts'
import { pageText } from '#web/ui/form/query-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { Pagination } from '#web/ui/list/pagination.tsx'
import { PastEnd, isPastEnd } from '#web/ui/list/past-end.tsx'
import { TableSkeleton } from '#web/ui/list/table.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/settings.ts'

export function ProxySettings() {
  const query = useQuery()
  const page = query.page()
  const setPage = (next: number) => query.change({ page: pageText(next) })
  /** Null while the dialog is closed. */
  const [edited, setEdited] = useState<ProxyServer | 'new' | null>(null)
  const [deleting, setDeleting] = useState<ProxyServer | null>(null)
  const {
    data: proxies,
    error,
    isLoading,
    isValidating,
    mutate,
  } = useEndpoint(listProxies, { query: { page, page_size: PAGE_SIZE } }, { keepPreviousData: true })
  const addButton = (
    <Button look="primary" icon={PlusIcon} onClick={() => setEdited('new')}>
      {t.addProxy}
    </Button>
  )
  return (
    <Card>
      <CardHead title={t.proxyServers}>{proxies && proxies.count > 0 && addButton}</CardHead>
      {isPastEnd(error, page) ? (
        <PastEnd onPage={setPage} />
      ) : error && !proxies ? (
        <ErrorState title={t.failedToLoadTheProxyServers} details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
          {t.theServerDidNotGiveThe}
        </ErrorState>
      ) : !proxies ? (
        <TableSkeleton rows={3} label={t.loadingProxyServers} />
      ) : proxies.count === 0 ? (
        <EmptyState title={t.noProxyServers} action={addButton}>
          {t.crawlsAndSitemapsCanLeaveThrough}
        </EmptyState>
      ) : (
        <>
          <ProxyTable proxies={proxies.results} updating={isLoading} onEdit={setEdited} onDelete={setDeleting} />
          <CardFoot>
            <Pagination page={page} count={proxies.count} busy={isLoading} onPage={setPage} />
          </CardFoot>
        </>
      )}
      {edited !== null && <ProxyDialog proxy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <DeleteProxyDialog
        proxy={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          if (proxies?.results.length === 1 && page > 1) setPage(page - 1)
        }}
      />
    </Card>
  )
}

function DeleteProxyDialog({ proxy, onClose, onDeleted }: { proxy: ProxyServer | null; onClose: () => void; onDeleted: () => void }) {
  const remove = useAction(deleteProxy, { refreshes: [listProxies, listAllProxies] })
  const confirm = async () => {
    if (!proxy || remove.busy) return
    const outcome = await remove.run({ params: { slug: proxy.slug } })
    if (outcome.ok) {
      toast.success(t.proxyServerDeleted)
      onDeleted()
    } else toast.error(t.failedToDeleteTheProxyServer(outcome.error.message))
    onClose()
  }
  return (
    <ConfirmDialog
      open={proxy !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.deleteText(proxy?.name ?? '')}
      action={t.deleteProxy}
      busy={remove.busy}
    >
      {t.crawlsAndSitemapsThatNameIt}
    </ConfirmDialog>
  )
}
