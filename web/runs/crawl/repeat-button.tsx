/** Opens the dialog that makes a schedule of a crawl. */
import { useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { ScheduleIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import * as t from '#texts/crawl-rows.ts'

const ScheduleDialog = lazyDialog(async () => (await import('#web/runs/schedules/schedule-dialog.tsx')).ScheduleDialog)

/** `look: 'icon'` is for a row of a table. */
export function RepeatButton({ crawl: { url, urls, uuid }, look }: { crawl: CrawlRequest; look: 'button' | 'icon' }) {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  return (
    <>
      {look === 'icon' ? (
        <IconButton label={t.repeat} icon={ScheduleIcon} onClick={open} />
      ) : (
        <Button icon={ScheduleIcon} onClick={open}>
          {t.repeat}
        </Button>
      )}
      {isOpen && <ScheduleDialog subject={{ crawl: { uuid, url: url ?? urls[0] ?? '' } }} onClose={() => setOpen(false)} />}
    </>
  )
}
