/** The button that opens a menu of downloads. */
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ChevronDownIcon, DownloadIcon } from '#web/ui/icons.tsx'
import type { MenuTrigger } from '#web/ui/dialog/menu.tsx'
import * as t from '#texts/downloads.ts'

type DownloadTriggerProps = MenuTrigger & {
  /** `icon` is for a row of a table. */
  look: 'button' | 'icon'
  /** A small button shows its icon alone on a phone, where it shares a row with others. */
  size?: 'small' | 'normal'
}

export function DownloadTrigger({ look, size = 'normal', ...trigger }: DownloadTriggerProps) {
  if (look === 'icon') return <IconButton {...trigger} label={t.download} icon={DownloadIcon} />
  return (
    <Button {...trigger} size={size} icon={DownloadIcon}>
      <span className="inline-flex items-center gap-2">
        <span className={cx(size === 'small' && 'max-sm:sr-only')}>{t.download}</span>
        <ChevronDownIcon className="text-faint" />
      </span>
    </Button>
  )
}
