/** What all forms share: values, when to show which errors, the server's errors, and the focus. */
import { useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ErrorBody } from '#contract/endpoint.ts'
import type { ApiError } from './client.ts'
import { fieldError } from './field-error.ts'

/** One way to send the form, as `useAction` returns it. */
type Submission = { error: ApiError | null; reset: () => void }

/** A text for each invalid field; a field inside a group is named `group.field`. */
export type FormErrors = Partial<Record<string, string>>

type FormOptions<Values> = {
  initial: Values | (() => Values)
  /** The values and their setter, if they are kept outside the form, such as in the URL. */
  held?: readonly [values: Values, change: (values: Values) => void]
  /** Validates the values. */
  judge?: (values: Values) => FormErrors
  /** Validates the values too; its errors are always shown at once. */
  atOnce?: (values: Values) => FormErrors
  /**
   * When a field shows its error from `judge`. `left`: after the field was left with a value, or an attempt to send. `changed`: also as soon
   * as its value changes. `sent`: after an attempt to send, until the field changes.
   */
  shows?: 'left' | 'changed' | 'sent'
  /**
   * When one of these fails, the first invalid field gets the focus. A field shows its error until it changes; `refusal` is the error until
   * any field changes.
   */
  submissions?: readonly Submission[]
  /** The server's names of fields, where they differ from the form's. */
  serverNames?: { readonly [Name in keyof Values]?: string }
  /** Assigns the server's errors to fields, where `serverNames` is not enough. */
  serverErrors?: (body: ErrorBody) => FormErrors
  /** Shows the part of the form with the invalid fields, such as a tab, before the first one is focused. */
  opens?: (wrong: FormErrors) => unknown
}

type Named<Values> = Extract<keyof Values, string>

/** What `useForm` returns. `Further`: names of errors that belong to no value of the form. */
export type Form<Values extends object, Further extends string = never> = ReturnType<typeof useForm<Values, Further>>

/**
 * The state of a form.
 *
 * Spread `field(name)` or `check(name)` over the control of a value, and pass `form` as the ref of the element around all of them. Call
 * `attempt(send)` on submit: it calls `send` only if the values are valid. `part(group)` gives the same controls for a group of values.
 */
export function useForm<Values extends object, Further extends string = never>({
  initial,
  held,
  judge,
  atOnce,
  shows = 'sent',
  submissions = [],
  serverNames,
  serverErrors,
  opens,
}: FormOptions<Values>) {
  const [begun, setBegun] = useState<Values>(initial)
  const [own, setOwn] = useState<Values>(begun)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  /** The server's errors that fields keep after other fields have changed. */
  const [kept, setKept] = useState<FormErrors>({})
  // The element around the fields: the form, or a part of a dialog.
  const box = useRef<HTMLElement | null>(null)
  const form = useCallback((element: HTMLElement | null) => {
    box.current = element
  }, [])
  const values = held?.[0] ?? own
  const errors = judge?.(values) ?? {}
  const refusal = submissions.find(({ error }) => error !== null)?.error ?? null
  const refused = refusal === null ? kept : (serverErrors?.(refusal.body) ?? errorsByName(refusal, values, serverNames))
  const shownErrors = { ...told(refused), ...told(atOnce?.(values)), ...told(errors, (name) => touched.has(name)) }
  const isDirty = JSON.stringify(values) !== JSON.stringify(begun)

  const touch = (name: string) => setTouched((before) => new Set(before).add(name))

  function forgetRefusal(): void {
    for (const submission of submissions) if (submission.error) submission.reset()
  }

  /** @param names  the fields that change, if they differ from the keys of `changes` */
  function set(changes: Partial<Values>, names = Object.keys(changes)): void {
    if (held) held[1]({ ...values, ...changes })
    else setOwn((before) => ({ ...before, ...changes }))
    const isOther = (name: string) => !names.includes(name)
    if (shows === 'changed') setTouched((before) => new Set([...before, ...names]))
    if (shows === 'sent') setTouched((before) => new Set([...before].filter(isOther)))
    setKept(told(refused, isOther))
    forgetRefusal()
  }

  /** The props of the controls for all values of the form, or for those of a group. */
  const controls = <Part extends object>(part: Part, change: (changes: Partial<Part>) => void, place = '') => {
    const shown = (name: Named<Part>): string | undefined => shownErrors[place + name]
    const changeTo = (name: Named<Part>) => (value: unknown) => change({ [name]: value } as unknown as Partial<Part>)
    return {
      /** The properties of a field. */
      field: <Name extends Named<Part>>(name: Name) => ({
        value: part[name],
        onChange: changeTo(name) as (value: Part[Name]) => void,
        // A field that was left is finished; an empty one may only have been tabbed through.
        onBlur: () => {
          if (shows !== 'sent' && part[name] !== '') touch(place + name)
        },
        error: shown(name),
      }),
      /** The properties of a checkbox or a switch. */
      check: (name: Named<Part>) => ({
        checked: Boolean(part[name]),
        onChange: changeTo(name) as (isChosen: boolean) => void,
        error: shown(name),
      }),
      set: change,
      /** The error that a field shows: from validation, else from the server. */
      shown,
      values: part,
    }
  }

  /** The controls of the fields in a group. */
  const part = <Group extends Named<Values>>(group: Group) => {
    const inside = values[group] as Values[Group] & object
    return controls(
      inside,
      (changes) => {
        const names = Object.keys(changes).map((name) => `${group}.${name}`)
        set({ [group]: { ...inside, ...changes } } as unknown as Partial<Values>, names)
      },
      `${group}.`,
    )
  }

  /** Focuses the first invalid field. React marks it after this call, so wait for the next frame. */
  function focusFirst(wrong: FormErrors): void {
    opens?.(wrong)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const onRefusal = useEffectEvent(() => focusFirst(refused))
  // In a layout effect, so that the part that `opens` shows is rendered before that frame.
  useLayoutEffect(() => {
    if (refusal) onRefusal()
  }, [refusal])

  /** Sends a valid form, and otherwise shows the errors. `rules` replaces the validation for this attempt, when fewer rules apply. */
  function attempt(send: () => unknown, rules = judge): void {
    const wrong = { ...told(atOnce?.(values)), ...told(rules?.(values)) }
    const names = Object.keys(wrong)
    setTouched(new Set(shows === 'sent' ? names : Object.keys(values)))
    setKept({})
    if (names.length === 0) send()
    else focusFirst(wrong)
  }

  /** Starts again, with these values. */
  function restart(next: Values = begun): void {
    setBegun(next)
    if (held) held[1](next)
    else setOwn(next)
    setTouched(new Set())
    setKept({})
    forgetRefusal()
  }

  return {
    ...controls(values, set),
    attempt,
    errors,
    form,
    isDirty,
    part,
    refusal,
    restart,
    set,
    shown: (name: Named<Values> | Further): string | undefined => shownErrors[name],
    shownErrors,
  }
}

/** Drops errors without a text, and errors of fields that `isMeant` rejects. */
const told = (errors: FormErrors = {}, isMeant: (name: string) => boolean = () => true): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name, text]) => text && isMeant(name)))

const errorsByName = <Values extends object>(refusal: ApiError, values: Values, names: FormOptions<Values>['serverNames']): FormErrors =>
  Object.fromEntries(Object.keys(values).map((name) => [name, fieldError(refusal, names?.[name as keyof Values] ?? name)]))
