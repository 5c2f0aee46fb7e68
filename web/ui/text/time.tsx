/** Times that update themselves: "3 minutes ago", and how long something has been running. */
import { useEffect, useState } from 'react'
import { durationMs, durationText, exactTime, relativeTime, relativeTimeStep } from './time-texts.ts'

/** The current instant, updated at an interval, which may depend on it; with null it never changes. */
export function useNow(interval: number | null | ((nowMs: number) => number)): number {
  const [now, setNow] = useState(() => Date.now())
  const everyMs = typeof interval === 'function' ? interval(now) : interval
  useEffect(() => {
    if (everyMs === null) return
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

type RelativeTimeProps = { iso: string; title?: string; className?: string }

/** "3 minutes ago" or "in 3 minutes", with the exact time on hover: in the reader's own time zone, unless `title` has it otherwise. */
export function RelativeTime(props: RelativeTimeProps) {
  // Another time starts with the current instant: the one that was kept for a distant time may be ten minutes old.
  return <TimeFromNow key={props.iso} {...props} />
}

function TimeFromNow({ iso, title = exactTime(iso), className }: RelativeTimeProps) {
  const now = useNow((nowMs) => relativeTimeStep(iso, nowMs))
  return (
    <time dateTime={iso} title={title} className={className}>
      {relativeTime(iso, now)}
    </time>
  )
}

/** How long a run took (`duration` of the API), or has been running since `since`. */
export function Duration({ duration, since }: { duration: string | null; since?: string | null }) {
  const live = duration === null && Boolean(since)
  const now = useNow(live ? 1000 : null)
  return <span className="num">{durationText(live && since ? now - Date.parse(since) : durationMs(duration))}</span>
}
