/** Links to external URLs from untrusted sources. */
import type { ReactNode } from 'react'
import { isHttpUrl } from '#contract/addresses.ts'
import { cx } from './cx.ts'

/** The URL if it is safe for a link: http or https only. */
export const safeHref = (url: string): string | null => (isHttpUrl(url) ? url : null)

/** A URL as a link if it is safe, else as text. */
export function OutsideLink({ url, className, children }: { url: string; className?: string; children?: ReactNode }) {
  const href = safeHref(url)
  if (href === null) return <span>{children ?? url}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className={cx('hover:text-accent-ink hover:underline', className)}
      title={children ? url : undefined}
    >
      {children ?? url}
    </a>
  )
}
