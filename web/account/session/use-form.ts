/** What the forms before signing in share: what is typed, what is wrong with it, and when to say so. */
import { useRef, useState } from 'react'

/**
 * @param empty   the values to begin with
 * @param judge   the rules of the form; an entry for each wrong value
 * @returns       `field(name)` for a control; `shown(name)` what is wrong with it once it was left or sent; `attempt(send)` sends only
 *                what is right, and leads to the first wrong field otherwise
 */
export function useForm<Values extends Record<string, string>>(
  empty: Values,
  judge: (values: Values) => { [Name in keyof Values]?: string },
) {
  const [values, setValues] = useState(empty)
  const [touched, setTouched] = useState<{ [Name in keyof Values]?: boolean }>({})
  const form = useRef<HTMLFormElement>(null)
  const errors = judge(values)
  const touch = (name: keyof Values) => setTouched((before) => ({ ...before, [name]: true }))

  return { attempt, errors, field, form, shown, values }

  function field<Name extends keyof Values & string>(name: Name) {
    return {
      value: values[name],
      onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
      // Going on to the next box says that this one is finished; an empty one may just have been passed by.
      onBlur: () => values[name] !== '' && touch(name),
    }
  }

  function shown(name: keyof Values): string | undefined {
    return touched[name] ? errors[name] : undefined
  }

  function attempt(send: () => unknown): void {
    setTouched(Object.fromEntries(Object.keys(values).map((name) => [name, true])) as { [Name in keyof Values]?: boolean })
    if (Object.keys(errors).length === 0) send()
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
}
