/** A bordered surface: head, body, foot; and a list of facts. */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export function Card({
  children,
  className,
  as: As = 'section',
}: {
  children: ReactNode
  className?: string
  as?: 'section' | 'div' | 'form'
}) {
  return <As className={cx('min-w-0 rounded-card border border-line bg-surface', className)}>{children}</As>
}

export function CardHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-end gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <h2 className="min-w-0 flex-auto text-body font-semibold">{title}</h2>
      {children}
    </div>
  )
}

export function CardBody({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('p-4', className)}>{children}</div>
}

export function CardFoot({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('flex min-h-12 items-center gap-3 border-t border-line px-4 py-2', className)}>{children}</div>
}

export type Fact = { name: string; value: ReactNode }

/** Names on the left, values on the right. */
export function Facts({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={cx('text-table', className)}>
      {facts.map(({ name, value }) => (
        <div key={name} className="flex min-h-8 items-center justify-between gap-4 py-1.5">
          <dt className="flex-none text-soft">{name}</dt>
          <dd className="min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A section of settings: title and description on the left, controls beside them, separated by hairlines. */
export function OptionSection({ title, description, children }: { title: string; description?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-4 py-6 not-first:border-t not-first:border-line first:pt-2 lg:grid-cols-[192px_minmax(0,1fr)] lg:gap-6 xl:grid-cols-[256px_minmax(0,1fr)] xl:gap-8">
      <div className="grid content-start gap-1">
        <h2 className="text-section font-semibold">{title}</h2>
        {description && <p className="text-table text-soft">{description}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
