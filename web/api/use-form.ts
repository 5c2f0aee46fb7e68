/** What all forms share: values, when to show which errors, the server's errors, and the focus. */
import { useRef, useState } from 'react'
import type { ApiError } from './client.ts'
import { fieldError } from './field-error.ts'

/** One way to send the form, as `useAction` returns it. */
type Submission = { error: ApiError | null; reset: () => void }

type FormOptions<Values, Errors> = {
  initial: Values | (() => Values)
  /** Validation: an entry for each invalid field. */
  judge?: (values: Values) => Errors
  /**
   * When an error of `judge` is shown: once the field was left with a value or the form was sent (`left`), already when its value changes
   * (`changed`), or from an attempt to send until the field changes (`sent`).
   */
  shows?: 'left' | 'changed' | 'sent'
  /** Errors of these are shown at their fields until something changes. */
  submissions?: readonly Submission[]
  /** The server's names of fields that differ. */
  serverNames?: { readonly [Name in keyof Values]?: string }
}

type Named<Values> = Extract<keyof Values, string>

export function useForm<Values extends object, Errors extends { [Name in keyof Values]?: string } = { [Name in keyof Values]?: string }>({
  initial,
  judge,
  shows = 'sent',
  submissions = [],
  serverNames,
}: FormOptions<Values, Errors>) {
  const [begun, setBegun] = useState<Values>(initial)
  const [values, setValues] = useState<Values>(begun)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  // The element around the fields: the form, or a part of a dialog.
  const box = useRef<HTMLElement | null>(null)
  const form = (element: HTMLElement | null) => {
    box.current = element
  }
  const errors: Partial<Record<string, string>> = judge?.(values) ?? {}
  const refusal = submissions.find(({ error }) => error !== null)?.error ?? null
  const isDirty = JSON.stringify(values) !== JSON.stringify(begun)

  const touch = (name: string) => setTouched((before) => new Set(before).add(name))

  function set(changes: Partial<Values>): void {
    setValues((before) => ({ ...before, ...changes }))
    const names = Object.keys(changes)
    if (shows === 'changed') setTouched((before) => new Set([...before, ...names]))
    if (shows === 'sent') setTouched((before) => new Set([...before].filter((name) => !names.includes(name))))
    for (const submission of submissions) if (submission.error) submission.reset()
  }

  /** The error of a field: from validation, else from the server. */
  const shown = (name: Named<Values>): string | undefined =>
    (touched.has(name) ? errors[name] : undefined) ?? fieldError(refusal, serverNames?.[name] ?? name)

  /** The properties of a text field. */
  const field = <Name extends Named<Values>>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    // Leaving a field means that it is finished; an empty one may only have been passed over.
    onBlur: () => {
      if (shows !== 'sent' && values[name] !== '') touch(name)
    },
    error: shown(name),
  })

  /** The properties of a checkbox or a switch. */
  const check = <Name extends Named<Values>>(name: Name) => ({
    checked: Boolean(values[name]),
    onChange: (isChosen: boolean) => set({ [name]: isChosen } as unknown as Partial<Values>),
    error: shown(name),
  })

  /** Focuses the first invalid field. Fields are marked in the same turn, so this waits for the next frame. */
  const focusFirstError = () => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

  /** Sends a valid form, and otherwise shows the errors. `rules` replaces the validation for this attempt, when fewer rules apply. */
  function attempt(send: () => unknown, rules = judge): void {
    const wrong = Object.keys(rules?.(values) ?? {})
    setTouched(new Set(shows === 'sent' ? wrong : Object.keys(values)))
    if (wrong.length === 0) send()
    else focusFirstError()
  }

  /** Starts again, with these values. */
  function restart(next: Values = begun): void {
    setBegun(next)
    setValues(next)
    setTouched(new Set())
  }

  return { attempt, check, errors, field, focusFirstError, form, isDirty, refusal, restart, set, shown, values }
}
