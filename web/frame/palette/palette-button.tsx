/** Opens the command palette: a button in the top bar, and Ctrl or Cmd K. The palette is loaded on first use. */
import { useEffect } from 'react'
import { COMMAND_KEY } from '#web/frame/layout/shortcuts/command-key.ts'
import { SearchIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import * as t from '#texts/layout.ts'

const CommandPalette = lazyDialog(async () => (await import('./command-palette.tsx')).CommandPalette)

/** The label of every control that opens the palette. */
export const PALETTE_LABEL = t.findOrDoAnything

export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      title={PALETTE_LABEL}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={CommandPalette.load}
      onFocus={CommandPalette.load}
      onClick={onOpen}
      className="hidden h-8 flex-none items-center gap-2 rounded-control border border-line-strong bg-surface px-2 text-table text-faint transition-colors hover:bg-hover hover:text-ink lg:flex xl:w-60 xl:pr-1.5 xl:pl-2.5"
    >
      <SearchIcon />
      <span className="flex-1 truncate text-left max-xl:sr-only">{PALETTE_LABEL}</span>
      <kbd className="hidden rounded-small border border-line px-1.5 font-sans text-label xl:inline" aria-hidden="true">
        {COMMAND_KEY} K
      </kbd>
    </button>
  )
}

/** Renders the palette while it is open, and handles its shortcut. */
export function Palette({ open, onToggle, onClose }: { open: boolean; onToggle: () => void; onClose: () => void }) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Do not open over another modal.
      if (open || document.querySelector('dialog:modal') === null) onToggle()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [open, onToggle])
  return open && <CommandPalette onClose={onClose} />
}
