/** Patterns of paths that a run keeps or leaves out. */
import { TagField } from '#web/ui/form/tag-field.tsx'
import type { TagFieldProps } from '#web/ui/form/tag-field.tsx'

const TEXTS = {
  include: { label: 'Include paths', placeholder: '/guide/*' },
  exclude: { label: 'Exclude paths', placeholder: '/legal/*' },
}

export const PathsField = ({ which, ...field }: { which: keyof typeof TEXTS } & Pick<TagFieldProps, 'values' | 'onChange' | 'error'>) => (
  <TagField
    {...TEXTS[which]}
    help="Compared with the path of the address. * stands for any text, also across slashes; ? for one character."
    {...field}
  />
)
