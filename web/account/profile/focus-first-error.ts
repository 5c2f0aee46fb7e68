import type { RefObject } from 'react'

/** Where to go on when a form was refused: its first wrong field. The fields are marked in the same turn, so it waits for the drawing. */
export function focusFirstError(form: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
