/** The way to everything: a button in the top bar, and Ctrl or Cmd K from anywhere. What it opens is loaded then. */
import { Suspense, lazy, useEffect, useState } from 'react'
import { SearchIcon } from '#web/ui/icons.tsx'

const load = () => import('./command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }))

const isMac = /mac|iphone|ipad/i.test(navigator.platform)

export function PaletteButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Another dialog has a question of its own, which comes first.
      setOpen((before) => !before && document.querySelector('dialog:modal') === null)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  return (
    <>
      <button
        type="button"
        title="Find or do anything"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
        className="hidden h-8 flex-none items-center gap-2 rounded-control border border-line-strong bg-surface px-2 text-table text-faint transition-colors hover:bg-hover hover:text-ink lg:flex xl:w-56 xl:pr-1.5 xl:pl-2.5"
      >
        <SearchIcon />
        <span className="flex-1 text-left max-xl:sr-only">Find or do anything</span>
        <kbd className="hidden rounded-small border border-line px-1.5 font-sans text-label xl:inline" aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      {open && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
