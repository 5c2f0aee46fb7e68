/** An icon: stroke 1.75, hidden from screen readers, 16 px unless a class says otherwise. */
import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

export type IconProps = { className?: string }
export type Icon = (props: IconProps) => React.ReactElement

export const icon = (Drawing: LucideIcon): Icon =>
  function StyledIcon({ className }) {
    return <Drawing aria-hidden="true" focusable="false" strokeWidth={1.75} size={16} className={cx('shrink-0', className)} />
  }
