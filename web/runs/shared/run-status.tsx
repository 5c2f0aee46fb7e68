/** The engine's messages about a run of any kind: the latest ones or all, collapsible. */
import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { FeedMessage, FeedType } from '#contract/runs.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { cx } from '#web/ui/cx.ts'
import { AlertIcon, ChevronDownIcon, CircleCheckIcon, CircleXIcon, InfoIcon, SpinnerIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { exactTime } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/run-status.ts'
import { latestOf } from './feed.ts'

const LOOKS: Record<FeedType, { icon: Icon; tint: string; word: string }> = {
  info: { icon: InfoIcon, tint: 'text-info', word: t.info },
  success: { icon: CircleCheckIcon, tint: 'text-success', word: t.success },
  warning: { icon: AlertIcon, tint: 'text-warning', word: t.warning },
  error: { icon: CircleXIcon, tint: 'text-danger', word: t.error },
}

type View = 'latest' | 'trace'

export type ActivityFeedProps = {
  feed: readonly FeedMessage[]
  running: boolean
  /** Collapsed at first. */
  folded?: boolean
  onUnfold?: () => void
  /** Shown while there are no messages. */
  empty: string
}

export function ActivityFeed({ feed, running, folded = false, onUnfold, empty }: ActivityFeedProps) {
  const [open, setOpen] = useState(!folded)
  const [view, setView] = useState<View>('trace')
  const shown = view === 'trace' ? feed : latestOf(feed)
  const toggle = () => {
    setOpen(!open)
    if (!open) onUnfold?.()
  }
  return (
    <section aria-label={t.engineFeedback} className="min-w-0 rounded-card border border-line bg-surface">
      <div className={cx('flex min-h-12 items-center gap-3 px-4 py-2', open && 'border-b border-line')}>
        <h2 className="flex items-center gap-2 text-body font-semibold">
          {running && <SpinnerIcon />}
          {t.engineFeedback}
        </h2>
        {feed.length > 0 && (
          <span className="num inline-flex h-5 items-center rounded-small bg-chip px-1.5 text-label font-medium text-soft">
            {feed.length}
          </span>
        )}
        <IconButton
          label={open ? t.foldTheFeedback : t.unfoldTheFeedback}
          aria-expanded={open}
          icon={FoldIcon(open)}
          className="-mr-1.5 ml-auto"
          onClick={toggle}
        />
      </div>
      {open && (
        <>
          {feed.length > 0 && (
            <div className="border-b border-line px-4 py-2">
              <Segmented
                label={t.messagesShown}
                value={view}
                onChange={setView}
                options={[
                  { value: 'latest', label: t.showLatest },
                  { value: 'trace', label: t.showTrace },
                ]}
              />
            </div>
          )}
          <Messages messages={shown} empty={empty} follows={view === 'trace'} />
        </>
      )}
    </section>
  )
}

const FoldIcon = (open: boolean): Icon => (open ? UpIcon : ChevronDownIcon)
const UpIcon: Icon = ({ className }) => <ChevronDownIcon className={cx('rotate-180', className)} />

function Messages({ messages, empty, follows }: { messages: readonly FeedMessage[]; empty: string; follows: boolean }) {
  const list = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const newest = messages.at(-1)?.id
  // Follow the newest line unless the user has scrolled up: at once, so that no scroll event finds lines below that only just arrived.
  useLayoutEffect(() => {
    if (follows && atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [newest, follows])
  if (messages.length === 0) return <p className="px-4 py-6 text-center text-table text-soft">{empty}</p>
  return (
    <div
      ref={list}
      role="log"
      aria-label={t.messages}
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
      className="max-h-96 overflow-y-auto py-1.5 -outline-offset-2"
    >
      <ol>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
    </div>
  )
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Memoised, so that hundreds of old lines are not rendered again while new ones arrive ten times a second. */
const Message = memo(function Message({ message }: { message: FeedMessage }) {
  const { icon: Icon, tint, word } = LOOKS[message.type] ?? LOOKS.info
  const at = Date.parse(message.timestamp)
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] gap-2.5 px-4 py-1.5 text-table">
      <Icon className={cx('mt-0.5', tint)} />
      <p className="wrap-anywhere">
        <span className="sr-only">{word}: </span>
        {message.message}
      </p>
      {!Number.isNaN(at) && (
        <time dateTime={message.timestamp} title={exactTime(message.timestamp)} className="num text-label/5 text-faint">
          {clock.format(at)}
        </time>
      )}
    </li>
  )
})
