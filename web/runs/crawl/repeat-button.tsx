/** Opens the dialog that makes a schedule of a crawl. */
import { useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { ScheduleIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import * as t from '#texts/crawl-rows.ts'

const ScheduleDialog = lazyDialog(async () => (await import('#web/runs/schedules/schedule-dialog.tsx')).ScheduleDialog)

export function RepeatButton({ crawl: { url, urls, uuid } }: { crawl: CrawlRequest }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t.repeat} icon={ScheduleIcon} onClick={() => setOpen(true)} />
      {isOpen && <ScheduleDialog subject={{ crawl: { uuid, url: url ?? urls[0] ?? '' } }} onClose={() => setOpen(false)} />}
    </>
  )
}
