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
