/** Opens the list of shortcuts with `?`; loads it on first use. */
import { useState } from 'react'
import { useKey } from '#web/ui/hooks/use-key.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'

const ShortcutKeys = lazyDialog(async () => (await import('./shortcut-keys.tsx')).ShortcutKeys)

export function Shortcuts() {
  const [open, setOpen] = useState(false)
  useKey('?', () => setOpen(true))
  return open && <ShortcutKeys onClose={() => setOpen(false)} />
}
