/** One or two letters of a name on a colour derived from it. Decorative: the name itself is shown beside it. */
import { cx } from './cx.ts'
import { initialsOf } from './text/initials.ts'

const TINTS = ['bg-wash text-accent-ink', 'bg-st-new-wash text-st-new', 'bg-warning-wash text-warning', 'bg-info-wash text-info']

const SHAPES = { small: 'size-6 rounded-[5px]', large: 'size-9 rounded-full' }

export type AvatarProps = {
  name: string
  /** Determines the colour, such as an id. */
  seed: string
  /** `small`: one letter, square, for things; `large`: initials, round, for people. */
  size?: keyof typeof SHAPES
}

export function Avatar({ name, seed, size = 'small' }: AvatarProps) {
  const tint = TINTS[Array.from(seed).reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TINTS.length]
  return (
    <span
      aria-hidden="true"
      // The letters are a picture, and no part of what a control around them is called.
      data-initials={initialsOf(name, size === 'small' ? 1 : 2)}
      className={cx('grid flex-none place-items-center text-label font-semibold before:content-[attr(data-initials)]', SHAPES[size], tint)}
    />
  )
}
