/** A button, a link that looks like a button, and icon-only variants of both. */
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '#web/ui/cx.ts'
import { SpinnerIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger' | 'removal'
export type ButtonSize = 'small' | 'normal' | 'large'

const BASE = 'inline-flex items-center justify-center rounded-control border font-medium whitespace-nowrap select-none transition-colors'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-accent bg-accent text-on-accent',
  plain: 'border-line-strong bg-surface text-ink',
  quiet: 'border-transparent bg-transparent text-soft',
  danger: 'border-danger-fill bg-danger-fill text-on-danger',
  removal: 'border-line-strong bg-surface text-danger',
}

const HOVERS: Record<ButtonLook, string> = {
  primary: 'hover:border-accent-hover hover:bg-accent-hover',
  plain: 'hover:bg-hover',
  quiet: 'hover:bg-hover hover:text-ink',
  danger: 'hover:border-danger-hover hover:bg-danger-hover',
  removal: 'hover:border-danger hover:bg-danger-wash',
}

const OFF = 'border-line bg-sunken text-faint'

const SIZES: Record<ButtonSize, string> = {
  small: 'h-7 px-2.5 text-table gap-1.5',
  normal: 'h-9 px-3.5 text-body gap-2',
  large: 'h-11 px-5 text-read gap-2',
}

const iconTone = (look: ButtonLook, off: boolean) => cx('-ml-0.5', (look === 'plain' || look === 'quiet') && !off && 'text-faint')

type Shape = { look?: ButtonLook; size?: ButtonSize; icon?: Icon; block?: boolean; className?: string }

export type ButtonProps = Shape &
  Omit<ComponentProps<'button'>, 'className'> & {
    /** In progress: shows a spinner and `busyLabel`, and ignores clicks. Its width is reserved from the start. */
    busy?: boolean
    busyLabel?: string
    /** Looks disabled and ignores clicks, but keeps the focus: for a moment in which something else loads. */
    waits?: boolean
    children: ReactNode
  }

export function Button(props: ButtonProps) {
  const {
    look = 'plain',
    size = 'normal',
    icon: Icon,
    block,
    className,
    busy = false,
    busyLabel,
    waits = false,
    children,
    disabled,
    onClick,
    ...rest
  } = props
  const off = disabled === true || waits
  const isIgnored = busy || waits
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-disabled={isIgnored || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (isIgnored) event.preventDefault()
        else onClick?.(event)
      }}
      className={cx(BASE, SIZES[size], off ? OFF : LOOKS[look], !off && !busy && HOVERS[look], block && 'w-full', className)}
    >
      <span
        className={cx('inline-grid justify-items-center', busyLabel !== undefined && 'button-reserve')}
        data-reserve={busy ? (typeof children === 'string' ? children : undefined) : busyLabel}
      >
        <span className="inline-flex items-center gap-[inherit]">
          {busy ? <SpinnerIcon className="-ml-0.5 mr-2" /> : Icon && <Icon className={cx('mr-2', iconTone(look, off))} />}
          {busy ? (busyLabel ?? children) : children}
        </span>
      </span>
    </button>
  )
}

export type ButtonLinkProps = Shape & { href: string; external?: boolean; children: ReactNode; onClick?: () => void }

/** A link in the shape of a button. `external` opens a new tab. */
export function ButtonLink({
  look = 'plain',
  size = 'normal',
  icon: Icon,
  block,
  className,
  href,
  external,
  children,
  onClick,
}: ButtonLinkProps) {
  const classes = cx(BASE, SIZES[size], LOOKS[look], HOVERS[look], block && 'w-full', className)
  const inside = (
    <>
      {Icon && <Icon className={iconTone(look, false)} />}
      {children}
    </>
  )
  return external ? (
    <a href={href} target="_blank" rel="noreferrer" className={classes} onClick={onClick}>
      {inside}
    </a>
  ) : (
    <Link href={href} className={classes} onClick={onClick}>
      {inside}
    </Link>
  )
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'children'> & {
  /** Its name, also shown on hover. */
  label: string
  icon: Icon
  size?: 'small' | 'normal'
  busy?: boolean
  tone?: 'faint' | 'danger'
  className?: string
}

const ICON_SIZES = { small: 'size-7 rounded-small', normal: 'size-9 rounded-control' }
const iconClass = (tone: 'faint' | 'danger', size: 'small' | 'normal', className: string | undefined) =>
  cx(
    'inline-grid shrink-0 place-items-center text-faint transition-colors hover:bg-hover disabled:opacity-45 disabled:hover:bg-transparent',
    tone === 'danger' ? 'hover:text-danger' : 'hover:text-ink',
    ICON_SIZES[size],
    className,
  )
const iconSize = (size: 'small' | 'normal') => (size === 'normal' ? 'size-[18px]' : undefined)

export function IconButton({
  label,
  icon: Icon,
  size = 'small',
  busy = false,
  tone = 'faint',
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (!busy) onClick?.(event)
      }}
      className={iconClass(tone, size, className)}
    >
      {busy ? <SpinnerIcon /> : <Icon className={iconSize(size)} />}
    </button>
  )
}

export type IconLinkProps = {
  /** Its name, also shown on hover. */
  label: string
  icon: Icon
  href: string
  /** The state of the new history entry. */
  state?: object
  className?: string
}

/** A link that is only an icon. */
export function IconLink({ label, icon: Icon, href, state, className }: IconLinkProps) {
  return (
    <Link href={href} {...(state && { state })} title={label} aria-label={label} className={iconClass('faint', 'small', className)}>
      <Icon />
    </Link>
  )
}
