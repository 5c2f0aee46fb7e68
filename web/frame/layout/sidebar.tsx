/**
 * The sidebar: entries in three groups, the repository's card, the version. Beside the content on large screens, over it on small screens.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useVersion } from '#web/frame/layout/use-version.ts'
import { PATHS, SIDEBAR, isCurrent } from '#web/navigation.ts'
import type { PathName, SidebarEntry } from '#web/navigation.ts'
import { PALETTE_LABEL } from '#web/frame/palette/palette-button.tsx'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ChevronRightIcon, CloseIcon, LogsIcon, SearchIcon } from '#web/ui/icons.tsx'
import { LARGE_SCREEN } from '#web/ui/limits.ts'
import { WordMark } from '#web/ui/mark.tsx'
import * as t from '#texts/layout.ts'
import { PATH_ICONS } from './path-icons.tsx'
import { StarCard } from './star-card.tsx'

/** Fixed beside the content, from the large-screen breakpoint on. */
export function FixedSidebar() {
  return (
    <aside aria-label={t.main} className="sticky top-0 hidden h-dvh w-(--sidebar) flex-col border-r border-line bg-surface lg:flex">
      <SidebarContent />
    </aside>
  )
}

/** The same content as a modal, for small screens: it keeps the focus, and Esc closes it. */
export function SlideOver({ open, onClose, onFind }: { open: boolean; onClose: () => void; onFind: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  useEffect(() => {
    // Close when the window becomes wide enough for the fixed sidebar, or the scrim would stay over the page.
    const large = window.matchMedia(LARGE_SCREEN)
    const widened = () => large.matches && onClose()
    large.addEventListener('change', widened)
    return () => large.removeEventListener('change', widened)
  }, [onClose])
  return (
    <dialog
      ref={dialog}
      id="slide-over"
      aria-label={t.main}
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      className="slide-over fixed inset-y-0 right-auto left-0 m-0 h-dvh max-h-none w-[min(var(--sidebar),88vw)] border-r border-line bg-surface p-0 text-ink shadow-float backdrop:bg-scrim"
    >
      <div className="flex h-full flex-col">
        <SidebarContent onClose={onClose} onFind={onFind} />
      </div>
    </dialog>
  )
}

function SidebarContent({ onClose, onFind }: { onClose?: () => void; onFind?: () => void }) {
  const version = useVersion()
  return (
    <>
      <div className="flex h-(--topbar) flex-none items-center gap-2 pr-3 pl-6">
        <Link href={PATHS.dashboard} className="min-w-0 flex-1 rounded-control">
          <WordMark name={runtimeConfig.productName} />
        </Link>
        {onClose && <IconButton size="normal" label={t.closeMenu} icon={CloseIcon} onClick={onClose} />}
      </div>
      {/* On small screens, where the top bar has no room for the search button. */}
      {onFind && (
        <div className="flex-none px-3 pb-1">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onFind}
            className="flex h-9 w-full items-center gap-3 rounded-control border border-line-strong px-3 text-left text-faint transition-colors hover:bg-hover hover:text-ink"
          >
            <SearchIcon className="size-5" />
            {PALETTE_LABEL}
          </button>
        </div>
      )}
      <nav aria-label={t.sections} className="min-h-0 flex-1 overflow-auto px-3 pt-1 pb-3">
        {SIDEBAR.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <div aria-hidden="true" className="px-3 pt-3 pb-1 text-label font-medium text-faint">
              {group.title}
            </div>
            <ul>
              {group.entries.map((entry) => (
                <Entry key={entry.label} entry={entry} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="grid flex-none gap-3 p-3">
        <StarCard />
        <p className="px-3 pb-1 text-label text-faint">{version ? t.version(version) : '\u00a0'}</p>
      </div>
    </>
  )
}

function Entry({ entry }: { entry: SidebarEntry }) {
  const [location] = useLocation()
  return (
    <li>
      {'entries' in entry ? (
        <Group label={entry.label} entries={entry.entries} location={location} />
      ) : (
        <EntryLink path={entry.path} label={entry.label} current={isCurrent(entry.path, location)} />
      )}
    </li>
  )
}

const ENTRY = 'relative flex h-9 w-full items-center gap-3 rounded-control px-3 text-left font-medium transition-colors'
const REST = 'text-soft hover:bg-hover hover:text-ink'

function EntryLink({ path, label, current }: { path: PathName; label: string; current: boolean }) {
  const Icon = PATH_ICONS[path]
  return (
    <Link
      href={PATHS[path]}
      aria-current={current ? 'page' : undefined}
      className={cx(
        ENTRY,
        current
          ? 'bg-wash text-accent-ink before:absolute before:inset-y-1.5 before:-left-3 before:w-[3px] before:rounded-r-[3px] before:bg-accent'
          : REST,
      )}
    >
      {Icon && <Icon className={cx('size-5', !current && 'text-faint')} />}
      {label}
    </Link>
  )
}

function Group({ label, entries, location }: { label: string; entries: readonly { label: string; path: PathName }[]; location: string }) {
  const id = useId()
  const isInside = entries.some(({ path }) => isCurrent(path, location))
  const [choice, setChoice] = useState<{ open: boolean; inside: boolean } | null>(null)
  // The user's choice applies until they enter or leave the group.
  const isOpen = choice?.inside === isInside ? choice.open : isInside
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChoice({ open: !isOpen, inside: isInside })}
        className={cx(ENTRY, isInside && !isOpen ? 'text-accent-ink hover:bg-hover' : REST)}
      >
        <LogsIcon className={cx('size-5', isInside && !isOpen ? 'text-accent-ink' : 'text-faint')} />
        {label}
        <ChevronRightIcon className={cx('ml-auto text-faint transition-transform', isOpen && 'rotate-90')} />
      </button>
      <div
        id={id}
        inert={!isOpen}
        className={cx(
          'overflow-hidden transition-[max-height,visibility] duration-150',
          isOpen ? 'visible max-h-(--submenu)' : 'invisible max-h-0',
        )}
      >
        <ul className="my-0.5 ml-[21px] border-l border-line pl-[11px]">
          {entries.map((entry) => {
            const current = isCurrent(entry.path, location)
            return (
              <li key={entry.path}>
                <Link
                  href={PATHS[entry.path]}
                  aria-current={current ? 'page' : undefined}
                  className={cx(
                    'relative flex h-8 items-center rounded-control px-3 transition-colors',
                    current
                      ? 'bg-wash font-medium text-accent-ink before:absolute before:inset-y-2 before:-left-3 before:w-0.5 before:rounded-full before:bg-accent'
                      : 'text-soft hover:bg-hover hover:text-ink',
                  )}
                >
                  {entry.label}
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
