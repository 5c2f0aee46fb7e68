/** The layout of the screens before sign-in: logo, name and theme on top, one card in the middle, a net pattern behind. */
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRemoveFirstPaint } from '#web/frame/layout/use-remove-first-paint.ts'
import { useVersion } from '#web/frame/layout/use-version.ts'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { cx } from '#web/ui/cx.ts'
import type { Icon } from '#web/ui/icons.tsx'
import { WordMark } from '#web/ui/mark.tsx'
import * as t from '#texts/layout.ts'
import { ThemeToggle } from './theme-toggle.tsx'

export function PublicLayout({ children }: { children: ReactNode }) {
  useRemoveFirstPaint()
  const version = useVersion()
  const { guideUrl, repository } = runtimeConfig
  return (
    <div className="mesh grid min-h-dvh grid-rows-[56px_1fr_auto] bg-page">
      <header className="flex items-center justify-between gap-3 px-4 sm:px-6">
        <Link href={PATHS.login} className="min-w-0 rounded-control">
          <WordMark name={runtimeConfig.productName} />
        </Link>
        <ThemeToggle />
      </header>
      <main className="grid content-start justify-items-center gap-4 px-4 pt-4 pb-6 sm:content-center sm:pt-6 sm:pb-10">{children}</main>
      <footer className="flex flex-wrap justify-center gap-x-4 gap-y-1 px-6 py-4 text-label text-faint">
        {guideUrl && <FootLink href={guideUrl}>{t.documentation}</FootLink>}
        {repository && <FootLink href={`https://github.com/${repository}`}>{t.sourceCode}</FootLink>}
        {version && <span>{t.version(version)}</span>}
      </footer>
    </div>
  )
}

function FootLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="rounded-small hover:text-ink hover:underline">
      {children}
    </a>
  )
}

/** The card of a public screen, with a title and a lead sentence. */
export function Sheet({ title, children, lead, wide = false }: { title: string; lead?: ReactNode; children?: ReactNode; wide?: boolean }) {
  return (
    <section
      className={cx(
        'grid w-full grid-cols-[minmax(0,1fr)] gap-5 rounded-dialog border border-line bg-surface px-5 py-6 sm:p-8',
        wide ? 'max-w-130' : 'max-w-100',
      )}
    >
      <div className="grid gap-1">
        <h1 tabIndex={-1} className="text-title font-semibold">
          {title}
        </h1>
        {lead && <div className="text-soft">{lead}</div>}
      </div>
      {children}
    </section>
  )
}

const TONES = {
  success: { ground: 'bg-success-wash', tint: 'text-success' },
  info: { ground: 'bg-wash', tint: 'text-accent-ink' },
  warning: { ground: 'bg-warning-wash', tint: 'text-warning' },
}

export type OutcomeSheetProps = {
  icon: Icon
  tone: keyof typeof TONES
  title: string
  children: ReactNode
  /** What to do next, the main action first. */
  actions: ReactNode
}

/** Replaces a form with its result. The title gets the focus, so that screen readers announce it. */
export function OutcomeSheet({ icon: Icon, tone, title, children, actions }: OutcomeSheetProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { ground, tint } = TONES[tone]
  return (
    <section className="grid w-full max-w-100 grid-cols-[minmax(0,1fr)] justify-items-center gap-2 rounded-dialog border border-line bg-surface px-5 py-8 text-center sm:p-8">
      <span className={cx('mb-2 grid size-12 place-items-center rounded-full', ground)}>
        <Icon className={cx('size-6', tint)} />
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-title font-semibold">
        {title}
      </h1>
      <div className="grid gap-2 text-balance break-words text-soft">{children}</div>
      <div className="mt-4 grid w-full gap-2">{actions}</div>
    </section>
  )
}

/** Links to other pages, below the card. */
export function BelowSheet({ children }: { children: ReactNode }) {
  return <p className="text-center text-table text-soft">{children}</p>
}
