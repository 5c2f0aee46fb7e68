/** Times that update themselves: "3 minutes ago", and how long something has been running. */
import { useEffect, useState } from 'react'
import { durationMs, durationText, exactTime, relativeTime, relativeTimeStep } from './time-texts.ts'

/** The current instant, updated every `everyMs`; with null it never changes. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** "3 minutes ago", with the exact time on hover. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const [loadedAt] = useState(() => Date.now())
  const now = useNow(relativeTimeStep(iso, loadedAt))
  return (
    <time dateTime={iso} title={exactTime(iso)} className={className}>
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
