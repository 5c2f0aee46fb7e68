/**
 * A modal over the native dialog element: Esc closes, the focus stays inside and returns, the page behind does not scroll. It is rendered
 * at the end of the body, so that it does not inherit alignment or wrapping from a table cell.
 */
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode, RefCallback } from 'react'
import { createPortal } from 'react-dom'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import type { ButtonProps } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { CloseIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/ui.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** Buttons in the footer, the main action last. */
  footer?: ReactNode
  children?: ReactNode
  /**
   * `small` for a question, `normal` for a form, `wide` for reading, `page` for content that is a page elsewhere, `full` for the whole
   * window; the last three fill a phone.
   */
  size?: 'small' | 'normal' | 'wide' | 'page' | 'full'
  /** False: neither Esc nor a click outside closes it, and there is no close button. With new input, a click outside never closes it. */
  dismissible?: boolean
  /** Wraps body and footer in a form, so that Enter submits it. The focus starts in its first field, or at `data-autofocus`. */
  onSubmit?: () => void
  /** The form, where `useForm` focuses the first invalid field. */
  formRef?: RefCallback<HTMLElement> | undefined
}

const FLOATING = 'm-auto max-h-[calc(100dvh-32px)] w-[calc(100%-32px)] rounded-dialog border border-line'
const SIZES = {
  small: `${FLOATING} max-w-110`,
  normal: `${FLOATING} max-w-130`,
  wide: `${FLOATING} max-w-240`,
  page: `${FLOATING} max-w-content`,
  full: 'm-0 h-dvh max-h-dvh w-full max-w-full rounded-none border-0',
}

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog({ onClose, title, footer, children, size = 'small', dismissible = true, onSubmit, formRef }: DialogProps) {
  const titleId = useId()
  const element = useRef<HTMLDialogElement>(null)
  const hasInput = useRef(false)
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const before = document.activeElement
    // Keep the scroll bar's width free, so that the page behind does not shift.
    const root = document.documentElement
    root.toggleAttribute('data-scrolls', root.scrollHeight > root.clientHeight)
    dialog.showModal()
    // By default a dialog would focus the close button.
    const start =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')
    start?.focus()
    return () => {
      dialog.close()
      // The browser does not always return the focus to the opener after a rerender, so do it here. Without an opener, focus the content.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      else document.getElementById('content')?.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    const dialog = element.current
    const cancel = (event: Event) => {
      event.preventDefault()
      if (dismissible) onClose()
    }
    dialog?.addEventListener('cancel', cancel)
    return () => dialog?.removeEventListener('cancel', cancel)
  }, [dismissible, onClose])

  const isLarge = size === 'wide' || size === 'page' || size === 'full'
  const inside = (
    <>
      <div className={cx('grid min-h-0 gap-4 overflow-auto px-5 pt-3 pb-5 text-soft', isLarge && 'flex-1 content-start')}>{children}</div>
      {footer && <div className="flex flex-none flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>}
    </>
  )
  return createPortal(
    <dialog
      ref={element}
      aria-labelledby={titleId}
      data-full={size === 'full' || undefined}
      // Some browsers close a dialog at the second Esc without a cancelable event: tell the owner, or open the dialog again.
      onClose={dismissible ? onClose : () => element.current?.showModal()}
      onInput={() => (hasInput.current = true)}
      // A click beside a form that has been filled in may be a slip.
      onMouseDown={(event) => {
        if (dismissible && !hasInput.current && event.target === element.current) onClose()
      }}
      className={cx(
        'overflow-hidden bg-raised p-0 text-ink shadow-float backdrop:bg-scrim open:flex open:animate-enter',
        SIZES[size],
        isLarge && 'max-sm:m-0 max-sm:h-dvh max-sm:max-h-dvh max-sm:w-full max-sm:max-w-full max-sm:rounded-none max-sm:border-0',
      )}
    >
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-none items-start gap-3 px-5 pt-5">
          <h2 id={titleId} className="min-w-0 flex-1 text-section font-semibold break-words">
            {title}
          </h2>
          {dismissible && <IconButton label={t.close} icon={CloseIcon} onClick={onClose} className="-mt-0.5 -mr-1.5" />}
        </div>
        {onSubmit ? (
          <form
            ref={formRef}
            noValidate
            className="flex min-h-0 flex-1 flex-col"
            onSubmit={(event) => {
              event.preventDefault()
              // React passes events through the portal: do not submit a form that surrounds this dialog in the component tree.
              event.stopPropagation()
              onSubmit()
            }}
          >
            {inside}
          </form>
        ) : (
          inside
        )}
      </div>
    </dialog>,
    document.body,
  )
}

/** The buttons below a form: one that cancels it, and one that sends it, which has all other properties. */
export const FormButtons = ({ onCancel, ...submit }: { onCancel: () => void } & ButtonProps) => (
  <>
    <Button look="quiet" onClick={onCancel}>
      {t.cancel}
    </Button>
    <Button look="primary" type="submit" {...submit} />
  </>
)

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** The consequences. */
  children: ReactNode
  /** The action, as a verb: "Delete key". */
  action: string
  busyAction?: string
  busy?: boolean
  /** The other button, if "Cancel" would be ambiguous. */
  refusal?: string
  look?: 'danger' | 'primary'
}

/** Asks before an action, by default one that cannot be undone. The focus starts at Cancel. */
export function ConfirmDialog({ open, onClose, onConfirm, title, children, action, busyAction, busy, refusal, look }: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button look="quiet" onClick={onClose} data-autofocus>
            {refusal ?? t.cancel}
          </Button>
          <Button look={look ?? 'danger'} busy={busy === true} busyLabel={busyAction ?? t.deleting} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div>{children}</div>
    </Dialog>
  )
}
