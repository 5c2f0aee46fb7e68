/** Opens the list of shortcuts with `?`; loads it on first use. */
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
