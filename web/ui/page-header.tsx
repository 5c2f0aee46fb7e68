/** Title, one line of description, actions on the right (on a phone in a row of their own). */
import type { ReactNode } from 'react'

export type PageHeaderProps = { title: ReactNode; description?: ReactNode; children?: ReactNode; before?: ReactNode }

/**
 * `before` is in front of the title, such as a back arrow; `children` are the actions. They are beside the title if all of it fits there, and
 * below it otherwise; the description may take several lines.
 */
export function PageHeader({ title, description, children, before }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-full items-start gap-2 sm:min-w-60 sm:basis-auto">
        {before}
        <div className="grid min-w-0 flex-1 gap-1">
          <h1 tabIndex={-1} className="text-title font-semibold break-words">
            {title}
          </h1>
          {description && <div className="w-0 min-w-full break-words text-soft">{description}</div>}
        </div>
      </div>
      {children && (
        <div className="flex w-full flex-none flex-wrap gap-2 max-w-full max-sm:*:flex-1 sm:w-auto print:hidden">{children}</div>
      )}
    </div>
  )
}
