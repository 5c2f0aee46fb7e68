/** The team's proxy servers: add, change, test, remove. */
import { useState } from 'react'
import { deleteProxy, listAllProxies, listProxies } from '#contract/proxies.ts'
import type { ProxyServer } from '#contract/proxies.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { ProxyDialog } from '#web/team/proxies/proxy-dialog.tsx'
import { ProxyTable } from '#web/team/proxies/proxy-table.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { pageText } from '#web/ui/form/query-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/settings.ts'

export function ProxySettings() {
  const query = useQuery()
  const page = query.page()
  const setPage = (next: number) => query.change({ page: pageText(next) })
  /** Null while the dialog is closed. */
  const [edited, setEdited] = useState<ProxyServer | 'new' | null>(null)
  const [deleting, setDeleting] = useState<ProxyServer | null>(null)
  const answer = useEndpoint(listProxies, { query: { page, page_size: PAGE_SIZE } }, { keepPreviousData: true })
  const addButton = (
    <Button look="primary" icon={PlusIcon} onClick={() => setEdited('new')}>
      {t.addProxy}
    </Button>
  )
  return (
    <Card>
      <CardHead title={t.proxyServers}>{answer.data && answer.data.count > 0 && addButton}</CardHead>
      <PagedList
        answer={answer}
        page={page}
        onPage={setPage}
        failed={t.failedToLoadTheProxyServers}
        failedSays={t.theServerDidNotGiveThe}
        loading={t.loadingProxyServers}
        skeletonRows={3}
        empty={
          <EmptyState title={t.noProxyServers} action={addButton}>
            {t.crawlsAndSitemapsCanLeaveThrough}
          </EmptyState>
        }
      >
        {(proxies, updating) => <ProxyTable proxies={proxies} updating={updating} onEdit={setEdited} onDelete={setDeleting} />}
      </PagedList>
      {edited !== null && <ProxyDialog proxy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <DeleteProxyDialog
        proxy={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          if (answer.data?.results.length === 1 && page > 1) setPage(page - 1)
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
