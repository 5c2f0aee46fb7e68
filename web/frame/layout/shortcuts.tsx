/** The list of shortcuts under `?`; it is loaded when it is first asked for. */
import { Suspense, lazy, useState } from 'react'
import { useKey } from '#web/ui/hooks/use-key.ts'

const ShortcutKeys = lazy(async () => ({ default: (await import('./shortcut-keys.tsx')).ShortcutKeys }))

export function Shortcuts() {
  const [open, setOpen] = useState(false)
  useKey('?', () => setOpen(true))
  return open ? (
    <Suspense fallback={null}>
      <ShortcutKeys onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
}
