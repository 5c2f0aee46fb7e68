/** Asks, when a member leaves a team, whether to revoke their API keys. */
import { Checkbox } from '#web/ui/form/choice.tsx'
import * as t from '#texts/teams.ts'

type RevokeKeysBoxProps = { checked: boolean; onChange: (checked: boolean) => void; whose: 'their' | 'your' }

export function RevokeKeysBox({ checked, onChange, whose }: RevokeKeysBoxProps) {
  return (
    <div className="text-ink">
      <Checkbox
        label={whose === 'their' ? t.deleteTheirAPIKeys : t.deleteYourAPIKeys}
        hint={whose === 'their' ? t.theyKnowTheKeysThatThey : t.youKnowTheKeysThatYou}
        checked={checked}
        onChange={onChange}
      />
    </div>
  )
}
