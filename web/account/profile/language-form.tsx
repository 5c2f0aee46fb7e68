/** The language of the dashboard and of the mails to this user. A choice is saved at once. */
import { LANGUAGES, LANGUAGE_NAMES } from '#contract/languages.ts'
import { getProfile, updateProfile } from '#contract/accounts.ts'
import type { Profile } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { applyLanguage } from '#web/state/language.ts'
import { Segmented } from '#web/ui/form/choice.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'

const OPTIONS = [
  { value: 'browser' as const, label: t.asTheBrowser },
  ...LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] })),
]

export function LanguageForm({ profile }: { profile: Profile }) {
  const save = useAction(updateProfile, { refreshes: [getProfile] })
  const choose = async (value: (typeof OPTIONS)[number]['value']) => {
    if (save.busy) return
    const language = value === 'browser' ? null : value
    const outcome = await save.run({ body: { language } })
    if (!outcome.ok) return toast.error(outcome.error.message || t.failedToSaveYourProfile)
    toast.success(t.profileSaved)
    applyLanguage(language)
  }
  return (
    <div className="justify-self-start">
      <Segmented label={t.language} value={profile.language ?? 'browser'} onChange={(value) => void choose(value)} options={OPTIONS} />
    </div>
  )
}
