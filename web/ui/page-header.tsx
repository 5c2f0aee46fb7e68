/** Title, one line of description, actions on the right (on a phone in a row of their own). */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type PageHeaderProps = { title: ReactNode; description?: ReactNode; children?: ReactNode; before?: ReactNode; quiet?: ReactNode }

/**
 * `before` is in front of the title, such as a back arrow; `children` are the actions. They are beside the title if all of it fits there, and
 * below it otherwise; the description may take several lines. `quiet` are actions that are icons only; they always stay beside the title.
 */
export function PageHeader({ title, description, children, before, quiet }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className={cx('flex min-w-0 flex-1 items-start gap-2 sm:min-w-60 sm:basis-auto', quiet ? 'basis-0' : 'basis-full')}>
        {before}
        <div className="grid min-w-0 flex-1 gap-1">
          <h1 tabIndex={-1} className="text-title font-semibold break-words">
            {title}
          </h1>
          {description && <div className="w-0 min-w-full break-words text-soft">{description}</div>}
        </div>
      </div>
      {quiet && <div className="-mr-1.5 flex flex-none gap-1 sm:-mr-2 sm:-ml-3 sm:h-9 sm:items-center print:hidden">{quiet}</div>}
      {children && (
        <div className="flex w-full flex-none flex-wrap gap-2 max-w-full max-sm:*:flex-1 sm:w-auto print:hidden">{children}</div>
      )}
    </div>
  )
}
