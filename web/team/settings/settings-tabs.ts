/** The tabs of the settings, and the one in the URL. Pure. */

export type SettingsTab<Id extends string = string> = {
  /** Its fragment in the URL, `#id`. */
  id: Id
  label: string
  /** Plans and bills exist in enterprise mode only. */
  enterpriseOnly?: true
}

export const tabsFor = <Tab extends SettingsTab>(tabs: readonly Tab[], isEnterprise: boolean): readonly Tab[] =>
  tabs.filter(({ enterpriseOnly }) => isEnterprise || !enterpriseOnly)

/** The tab of a hash (`#proxy`); the first one for an unknown hash. */
export const tabOf = <Tab extends SettingsTab>(tabs: readonly Tab[], hash: string): Tab | undefined =>
  tabs.find(({ id }) => `#${id}` === hash) ?? tabs[0]

/** The page of a list in a tab, from `?page=2`; 1 when that is no number. */
export function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
