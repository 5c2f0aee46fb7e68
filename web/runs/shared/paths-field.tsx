/** The field for path patterns that a run includes or excludes. */
import { TagField } from '#web/ui/form/tag-field.tsx'
import type { TagFieldProps } from '#web/ui/form/tag-field.tsx'
import * as t from '#texts/run-fields.ts'

const TEXTS = {
  include: { label: t.includePaths, placeholder: t.guide },
  exclude: { label: t.excludePaths, placeholder: t.legal },
}

export const PathsField = ({ which, ...field }: { which: keyof typeof TEXTS } & Pick<TagFieldProps, 'value' | 'onChange' | 'error'>) => (
  <TagField {...TEXTS[which]} help={t.comparedWithThePathOfThe} {...field} />
)
