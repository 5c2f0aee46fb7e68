/** Asks, when a person leaves a team, whether the API keys that they know end with it. */
import { Checkbox } from '#web/ui/form/choice.tsx'

type RevokeKeysBoxProps = { checked: boolean; onChange: (checked: boolean) => void; whose: 'their' | 'your' }

export function RevokeKeysBox({ checked, onChange, whose }: RevokeKeysBoxProps) {
  const who = whose === 'their' ? 'They know' : 'You know'
  return (
    <div className="text-ink">
      <Checkbox
        label={`Delete ${whose} API keys`}
        hint={`${who} the keys that ${whose === 'their' ? 'they' : 'you'} made. Programs that use one are refused from then on.`}
        checked={checked}
        onChange={onChange}
      />
    </div>
  )
}
