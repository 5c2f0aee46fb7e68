/** Connects the controls of a form to its values by name: displayed value, change handler, and error. Pure. */
type Names<Values, Kind> = { [Name in keyof Values]: Values[Name] extends Kind ? Name : never }[keyof Values]

/**
 * @param values    of the form
 * @param onChange  receives changed values
 * @param errorOf   returns a value's error, by its name
 */
export function tieFields<Values extends object>(
  values: Values,
  onChange: (changes: Partial<Values>) => void,
  errorOf: (name: keyof Values & string) => string | undefined,
) {
  const change = <Name extends keyof Values>(name: Name, value: Values[Name]) => onChange({ [name]: value } as unknown as Partial<Values>)
  return {
    /** For a control with one value. */
    value: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => change(name, value),
      error: errorOf(name),
    }),
    /** For a list of texts. */
    values: <Name extends Names<Values, string[]> & keyof Values & string>(name: Name) => ({
      values: values[name] as string[],
      onChange: (list: string[]) => change(name, list as Values[Name]),
      error: errorOf(name),
    }),
    /** For a switch. */
    checked: <Name extends Names<Values, boolean> & keyof Values & string>(name: Name) => ({
      checked: values[name] as boolean,
      onChange: (isOn: boolean) => change(name, isOn as Values[Name]),
    }),
  }
}
