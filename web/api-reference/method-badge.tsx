import { cx } from '#web/ui/cx.ts'

const LOOKS: Readonly<Record<string, string>> = {
  GET: 'bg-info-wash text-info',
  POST: 'bg-success-wash text-success',
  PUT: 'bg-warning-wash text-warning',
  PATCH: 'bg-warning-wash text-warning',
  DELETE: 'bg-danger-wash text-danger',
}

/** The method as a coloured word. `short` is for narrow places. */
export function MethodBadge({ method, short = false }: { method: string; short?: boolean }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 flex-none items-center justify-center rounded-small font-mono text-label font-semibold',
        short ? 'w-10' : 'px-2',
        LOOKS[method] ?? 'bg-chip text-soft',
      )}
    >
      {short && method === 'DELETE' ? (
        <>
          <span aria-hidden="true">{'DEL'}</span>
          <span className="sr-only">{'DELETE'}</span>
        </>
      ) : (
        method
      )}
    </span>
  )
}
