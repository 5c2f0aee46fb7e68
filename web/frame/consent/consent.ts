/** The cookies that the user allowed: the categories, the stored record, and changes to it. */
import { signal } from '@preact/signals-react'
import { browserStorage, keep, onStoredElsewhere } from '#web/state/browser-storage.ts'
import type { KeyStorage } from '#web/state/browser-storage.ts'
import { useSignalValue } from '#web/state/use-signal-value.ts'
import * as t from '#texts/consent.ts'

export const CONSENT_KEY = 'cookie_consent'

export const CATEGORIES = [
  {
    id: 'necessary',
    isEssential: true,
    label: t.necessary,
    description: t.theyKeepYouSignedInAnd,
  },
  {
    id: 'analytics',
    isEssential: false,
    label: t.analytics,
    description: t.tellsUsWhichScreensAreUsed,
  },
  {
    id: 'marketing',
    isEssential: false,
    label: t.marketing,
    description: t.wouldTellUsWhichAnnouncementsBring,
  },
] as const

export type CategoryId = (typeof CATEGORIES)[number]['id']

export const OPTIONAL_CATEGORIES = CATEGORIES.filter(({ isEssential }) => !isEssential)

const ALL: readonly CategoryId[] = CATEGORIES.map(({ id }) => id)
const ESSENTIAL: readonly CategoryId[] = CATEGORIES.filter(({ isEssential }) => isEssential).map(({ id }) => id)

export type ConsentRecord = {
  given: boolean
  categories: readonly CategoryId[]
  /** Time of the decision, ISO 8601. */
  timestamp: string
}

/** The stored categories: known ones in their order, the essential ones always. */
export const keptCategories = (chosen: readonly string[]): CategoryId[] => ALL.filter((id) => ESSENTIAL.includes(id) || chosen.includes(id))

/** Parses a stored record. Throws when it is invalid. */
export function parseConsent(text: string): ConsentRecord {
  const stored: unknown = JSON.parse(text)
  if (typeof stored !== 'object' || stored === null) throw new TypeError('the consent is not an object')
  const { given, categories, timestamp }: { given?: unknown; categories?: unknown; timestamp?: unknown } = stored
  if (typeof given !== 'boolean') throw new TypeError('the consent does not say whether it was given')
  if (!Array.isArray(categories)) throw new TypeError('the consent has no list of categories')
  if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp))) throw new TypeError('the consent has no time')
  return { given, categories: keptCategories(categories.filter((id) => typeof id === 'string')), timestamp }
}

/** Null: the user was not asked yet, or the record is unreadable. Undefined: consent does not apply. */
type Known = ConsentRecord | null | undefined

type Needs = {
  storage: KeyStorage
  now: () => Date
  /** Called with the reason why a stored text is unreadable. */
  complain: (cause: unknown) => void
}

/** The consent over a storage. Outside enterprise mode it does nothing. */
export function createConsent({ storage, now, complain }: Needs) {
  const record = signal<Known>(undefined)
  let isEnterprise = false
  return { record, open, decide, takeStored }

  /** Called with whether enterprise mode is on. */
  function open(isOn: boolean): void {
    if (isOn === isEnterprise) return
    isEnterprise = isOn
    record.value = isOn ? read(storage.getItem(CONSENT_KEY)) : undefined
  }

  function read(text: string | null): ConsentRecord | null {
    if (text === null) return null
    try {
      return parseConsent(text)
    } catch (cause) {
      complain(cause)
      keep(storage, CONSENT_KEY, null)
      return null
    }
  }

  /** Stores a choice of optional categories. */
  function decide(chosen: readonly string[]): void {
    if (!isEnterprise) return
    record.value = { given: true, categories: keptCategories(chosen), timestamp: now().toISOString() }
    keep(storage, CONSENT_KEY, JSON.stringify(record.value))
  }

  /** Called when another tab has changed the record. */
  function takeStored(text: string | null): void {
    if (isEnterprise) record.value = read(text)
  }
}

export type Consent = ReturnType<typeof createConsent>

const consent = createConsent({
  storage: browserStorage(),
  now: () => new Date(),
  complain: (cause) => console.warn('the stored cookie consent cannot be read and was dropped', cause),
})
onStoredElsewhere(CONSENT_KEY, consent.takeStored)

export const useConsent = (): Known => useSignalValue(consent.record)
export const openConsent = (isEnterprise: boolean): void => consent.open(isEnterprise)
export const acceptAll = (): void => consent.decide(ALL)
export const rejectOptional = (): void => consent.decide([])
export const savePreferences = (chosen: readonly string[]): void => consent.decide(chosen)
