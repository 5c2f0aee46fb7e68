/** A bar with one part per rule, a word for the strength, and the list of rules with ticks. */
import { PASSWORD_RULES } from '#contract/passwords.ts'
import { cx } from '#web/ui/cx.ts'
import { CheckIcon, CircleIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/passwords.ts'

const TONES = [
  { bar: 'bg-line-strong', word: 'text-faint' },
  { bar: 'bg-danger', word: 'text-danger' },
  { bar: 'bg-warning-fill', word: 'text-warning' },
  { bar: 'bg-info', word: 'text-info' },
  { bar: 'bg-success', word: 'text-success' },
  { bar: 'bg-success', word: 'text-success' },
]

export function PasswordStrength({ value }: { value: string }) {
  const held = PASSWORD_RULES.map((rule) => rule.holds(value))
  const score = held.filter(Boolean).length
  const tone = TONES[score] ?? TONES[0]
  const word = t.strengths[score] ?? ''
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <div
          role="meter"
          aria-label={t.passwordStrength}
          aria-valuemin={0}
          aria-valuemax={PASSWORD_RULES.length}
          aria-valuenow={score}
          aria-valuetext={word}
          className="grid flex-1 auto-cols-fr grid-flow-col gap-1"
        >
          {PASSWORD_RULES.map((rule, index) => (
            <span key={rule.id} className={cx('h-1 rounded-full transition-colors', index < score ? tone?.bar : 'bg-line-strong')} />
          ))}
        </div>
        <span aria-live="polite" className={cx('min-w-20 text-right text-label font-medium', tone?.word)}>
          {word}
        </span>
      </div>
      <ul className="grid gap-1 text-label">
        {PASSWORD_RULES.map((rule, index) => (
          <li key={rule.id} className={cx('flex items-center gap-1.5', held[index] ? 'text-success' : 'text-faint')}>
            {held[index] ? <CheckIcon className="size-3.5" /> : <CircleIcon className="size-3.5" />}
            {t.labels[rule.id]}
            <span className="sr-only">{`: ${held[index] ? t.done : t.missing}`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
