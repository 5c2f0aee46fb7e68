/** The layout of the dashboard: sidebar, top bar, and the content, which is remounted when the team changes. */
import { useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Palette, PaletteButton } from '#web/frame/palette/palette-button.tsx'
import { useCurrentTeamId } from '#web/state/current-team.ts'
import { TeamSwitcher } from '#web/team/teams/team-switcher.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { MenuIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import * as t from '#texts/layout.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { FixedSidebar, SlideOver } from './sidebar.tsx'
import { Shortcuts } from './shortcuts/shortcuts.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useRemoveFirstPaint } from './use-remove-first-paint.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** Empty until a job runs, so no screen waits for it. If it cannot be loaded, the dashboard works without it. */
const RunningJobs = lazyPart<object>(
  () =>
    import('./running-jobs.tsx').then(
      (file) => file.RunningJobs,
      (cause: unknown) => {
        console.warn('the list of running jobs could not be loaded', cause)
        return () => null
      },
    ),
  null,
)

export function DashboardLayout({ children }: { children: ReactNode }) {
  useRemoveFirstPaint()
  const teamId = useCurrentTeamId()
  const [location] = useLocation()
  const [menuAt, setMenuAt] = useState<string | null>(null)
  const closeMenu = useCallback(() => setMenuAt(null), [])
  const [isFinding, setFinding] = useState(false)
  const find = useCallback(() => {
    setMenuAt(null)
    setFinding(true)
  }, [])
  const content = useRef<HTMLElement>(null)
  useScrollMemory(location, content)
  return (
    <div className="frame min-h-dvh bg-page lg:grid lg:grid-cols-[var(--sidebar)_minmax(0,1fr)]">
      <a
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          content.current?.focus()
        }}
        className="sr-only z-40 rounded-control bg-raised px-3 py-2 font-medium shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t.skipToContent}
      </a>
      <FixedSidebar />
      {/* Open only at the location where it was opened, so that any navigation closes it. */}
      <SlideOver open={menuAt === location} onClose={closeMenu} onFind={find} />
      <div className="flex min-h-dvh min-w-0 flex-col">
        <header className="frame-head sticky top-0 z-20 flex h-(--topbar) flex-none items-center gap-1 border-b border-line bg-surface pr-3 pl-2 lg:gap-3 lg:px-6">
          <IconButton
            size="normal"
            label={t.openMenu}
            icon={MenuIcon}
            aria-haspopup="dialog"
            className="lg:hidden"
            onClick={() => setMenuAt(location)}
          />
          <Breadcrumbs />
          <PaletteButton onOpen={find} />
          <RunningJobs />
          <TeamSwitcher />
          <ThemeToggle />
        </header>
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          key={teamId ?? 'own'}
          className="mx-auto grid w-full max-w-content flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 p-4 sm:gap-6 sm:p-6"
        >
          {children}
        </main>
      </div>
      {/* Rendered after the menu, so that a dialog opened from there takes the focus after the menu has returned it. */}
      <Shortcuts />
      <Palette open={isFinding} onToggle={() => setFinding(!isFinding)} onClose={() => setFinding(false)} />
    </div>
  )
}
