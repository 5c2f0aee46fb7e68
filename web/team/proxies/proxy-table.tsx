/** The team's proxy servers, a row each. */
import type { ProxyServer } from '#contract/proxies.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table } from '#web/ui/list/table.tsx'
import { dayText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/proxies.ts'
import { TYPE_LABELS } from './proxy-form.ts'

type ProxyTableProps = {
  proxies: readonly ProxyServer[]
  updating: boolean
  onEdit: (proxy: ProxyServer) => void
  onDelete: (proxy: ProxyServer) => void
}

export function ProxyTable({ proxies, updating, onEdit, onDelete }: ProxyTableProps) {
  return (
    <Table
      label={t.proxyServers}
      rows={proxies}
      rowKey={({ slug }) => slug}
      updating={updating}
      columns={[
        { key: 'name', head: t.name, card: 'topLeft', cell: (proxy) => <Name {...proxy} /> },
        {
          key: 'type',
          head: t.type,
          card: 'bottomLeft',
          cell: ({ proxy_type }) => TYPE_LABELS[proxy_type],
        },
        {
          key: 'host',
          head: t.host,
          wide: true,
          card: 'main',
          cell: ({ host, port, username }) => (
            <>
              <span className="block truncate max-sm:break-all max-sm:whitespace-normal" title={host}>
                {host}
                <span className="sm:hidden">:{port}</span>
              </span>
              {username !== null && <span className="block truncate text-label text-faint xl:hidden">{username}</span>}
            </>
          ),
        },
        { key: 'port', head: t.port, card: 'none', cell: ({ port }) => <span className="num">{port}</span> },
        {
          key: 'username',
          head: t.username,
          from: 'xl',
          card: 'none',
          cell: ({ username }) =>
            username === null ? (
              <span className="text-faint">{t.none}</span>
            ) : (
              <span className="block max-w-40 truncate" title={username}>
                {username}
              </span>
            ),
        },
        {
          key: 'created',
          head: t.created,
          card: 'bottomRight',
          cell: ({ created_at }) => (
            <>
              <span className="sm:hidden">{t.created} </span>
              {dayText(created_at)}
            </>
          ),
        },
        {
          ...ACTIONS_COLUMN,
          cell: (proxy) => (
            <span className="inline-flex">
              <IconButton label={t.edit(proxy.name)} icon={PencilIcon} onClick={() => onEdit(proxy)} />
              <IconButton label={t.deleteText(proxy.name)} icon={TrashIcon} tone="danger" onClick={() => onDelete(proxy)} />
            </span>
          ),
        },
      ]}
    />
  )
}

const Name = ({ name, slug, is_default }: ProxyServer) => (
  <span className="grid min-w-0 py-2 max-sm:py-0 sm:w-40 xl:w-56">
    <span className="flex min-w-0 items-center gap-2">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      {is_default && (
        <span className="flex-none">
          <Chip tone="accent">{t.defaultText}</Chip>
        </span>
      )}
    </span>
    <code className="truncate text-label text-faint" title={slug}>
      {slug}
    </code>
  </span>
)
