/** The column beside a playground's results: why the live view ended, a link to the details, and the engine's messages. */
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { ArrowRightIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/playground.ts'
import { ActivityFeed } from './run-status.tsx'
import type { Progress } from './use-progress.ts'

export type LiveAsideProps = {
  progress: Pick<Progress<unknown, unknown>, 'connection' | 'error' | 'feed'>
  running: boolean
  /** URL of the details. The link is shown from the start: if it appeared later, it would push the messages down. */
  details: string
  /** Shown while there are no messages. */
  empty: string
}

export function LiveAside({ progress, running, details, empty }: LiveAsideProps) {
  return (
    <div className="grid gap-4">
      {progress.connection === 'refused' && progress.error && (
        <Notice tone="danger" role="alert" title={t.theLiveViewEnded}>
          {progress.error.message}
        </Notice>
      )}
      <ButtonLink href={details} icon={ArrowRightIcon} block>
        {t.details}
      </ButtonLink>
      <ActivityFeed feed={progress.feed} running={running} empty={empty} />
    </div>
  )
}
