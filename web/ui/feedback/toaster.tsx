/**
 * Toasts, top right. react-hot-toast keeps the queue and the timing. We render the toasts ourselves, because its components add styles to
 * the page, which the content security policy forbids.
 */
import { useEffect, useRef } from 'react'
import { resolveValue, toast as hotToast, useToaster } from 'react-hot-toast/headless'
import type { Toast } from 'react-hot-toast/headless'
import { cx } from '#web/ui/cx.ts'
import { CircleCheckIcon, CircleXIcon, CloseIcon, InfoIcon, SpinnerIcon } from '#web/ui/icons.tsx'
import { MAX_TOASTS, TOAST_MS } from '#web/ui/limits.ts'
import * as t from '#texts/ui.ts'

/** Shows a toast. Each call returns an id for `dismiss`; a call with the same `id` replaces the text. */
export const toast = {
  blank: (message: string, id?: string) => hotToast(message, { duration: TOAST_MS.blank, ...(id && { id }) }),
  success: (message: string, id?: string) => hotToast.success(message, { duration: TOAST_MS.success, ...(id && { id }) }),
  error: (message: string, id?: string) => hotToast.error(message, { duration: TOAST_MS.error, ...(id && { id }) }),
  loading: (message: string, id?: string) => hotToast.loading(message, { duration: TOAST_MS.loading, ...(id && { id }) }),
  /** A text with a button for the next step. */
  offer: (message: string, offered: { label: string; act: () => void }) =>
    hotToast.success((one) => <Offer id={one.id} message={message} {...offered} />, { duration: TOAST_MS.blank }),
  dismiss: (id?: string) => hotToast.dismiss(id),
}

function Offer({ id, message, label, act }: { id: string; message: string; label: string; act: () => void }) {
  return (
    <>
      {message}
      <button
        type="button"
        className="link mt-1 block"
        onClick={() => {
          hotToast.dismiss(id)
          act()
        }}
      >
        {label}
      </button>
    </>
  )
}

/**
 * Renders all toasts; used once per page. One with up to two lines covers no button in the heading of a screen: it is no lower than the bar
 * at the top, and on a phone below the bar, over the title. Further ones are beside it while there is room.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster()
  const place = useRef<HTMLDivElement>(null)
  const shown = toasts.filter(({ visible }) => visible).slice(0, MAX_TOASTS)
  const newest = shown[0]?.id
  useEffect(() => {
    // Enter the top layer again, so that the toast is above a dialog that was opened since the last toast.
    const layer = place.current
    if (!layer || newest === undefined) return
    if (layer.matches(':popover-open')) layer.hidePopover()
    layer.showPopover()
  }, [newest])
  return (
    <div
      ref={place}
      popover="manual"
      role="region"
      aria-label={t.notifications}
      data-toasts
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      className="pointer-events-none fixed inset-[8px_16px_auto_auto] m-0 flex max-h-[calc(100dvh-32px)] max-w-[calc(100vw-32px)] flex-row-reverse flex-wrap items-start gap-2 overflow-visible bg-transparent p-0 max-sm:top-[60px] max-sm:w-full lg:max-w-[calc(100vw-320px)] [&:not(:popover-open)]:hidden"
    >
      {shown.map((one) => (
        <OneToast key={one.id} toast={one} />
      ))}
    </div>
  )
}

const LOOKS = {
  success: { icon: CircleCheckIcon, tint: 'text-success' },
  error: { icon: CircleXIcon, tint: 'text-danger' },
  loading: { icon: SpinnerIcon, tint: 'text-accent' },
  blank: { icon: InfoIcon, tint: 'text-info' },
  custom: { icon: InfoIcon, tint: 'text-info' },
}

function OneToast({ toast: one }: { toast: Toast }) {
  const { icon: Icon, tint } = LOOKS[one.type]
  return (
    <div
      {...one.ariaProps}
      data-toast={one.type}
      className="pointer-events-auto flex w-86 max-w-full animate-enter max-sm:w-full items-start gap-2.5 rounded-card border border-line bg-raised py-3 pr-2.5 pl-3.5 text-table text-ink shadow-float"
    >
      <Icon className={cx('mt-0.5', tint)} />
      <div className="min-w-0 flex-1 font-medium break-words">{resolveValue(one.message, one)}</div>
      <button
        type="button"
        aria-label={t.dismiss}
        onClick={() => hotToast.dismiss(one.id)}
        className="grid size-5 flex-none place-items-center rounded-small text-faint hover:bg-hover hover:text-ink"
      >
        <CloseIcon className="size-3.5" />
      </button>
    </div>
  )
}
