/** Links out of the product to addresses that strangers wrote. */
import type { ReactNode } from 'react'
import { isAddress } from '#contract/addresses.ts'

/** An address that a link may have: http or https, nothing else. */
export const safeHref = (url: string): string | null => (isAddress(url) ? url : null)

/** An address as a link where it may be one, else as words. */
export function OutsideLink({ url, children }: { url: string; children?: ReactNode }) {
  const href = safeHref(url)
  if (href === null) return <span>{children ?? url}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className="hover:text-accent-ink hover:underline"
      title={children ? url : undefined}
    >
      {children ?? url}
    </a>
  )
}
