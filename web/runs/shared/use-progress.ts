/** Follows one run live: opens its stream, resumes it after the last event when the connection breaks, and stops when the run has ended. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { FeedMessage, ProgressEvent } from '#contract/runs.ts'
import { ApiError } from '#web/api/client.ts'
import type { Query } from '#web/api/client.ts'
import { follow } from '#web/api/event-stream.ts'
import { translator } from '#web/api/server-messages.ts'
import { pauseUntilOnline } from './pause-until-online.ts'
import { emptyLog, reconnectDelayMs, withEvents } from './progress-log.ts'
import type { Identified, ProgressLog } from './progress-log.ts'

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'ended' | 'refused'

export type Progress<Job, Result> = ProgressLog<Job, Result> & { connection: Connection; error: ApiError | null }

export type ProgressSource<Job, Result> = {
  /** The stream's endpoint; its path has one parameter, `id`. */
  stream: EndpointSpec
  query?: Query
  /** Called with each new state, to update the cache for other screens. */
  onState?: (job: Job) => void
  /** Makes an older result small, such as by dropping its document. */
  light?: (result: Result) => Result
  /** How many of the newest results stay complete. */
  maxHeavy?: number
}

/** Shortest interval between two renders while many events arrive. */
const DRAW_MS = 100

/** `runId` null follows nothing. A new id starts a new log. */
export function useProgress<Job extends Identified, Result extends Identified>(
  source: ProgressSource<Job, Result>,
  runId: string | null,
): Progress<Job, Result> {
  const [progress, setProgress] = useState<{ runId: string | null; value: Progress<Job, Result> }>({ runId: null, value: start() })
  const currentSource = useEffectEvent(() => source)
  useEffect(() => {
    if (runId === null) return
    const stop = new AbortController()
    const seen = new Set<string>()
    let value: Progress<Job, Result> = start()
    let waiting: ProgressEvent<Job, Result>[] = []
    let drawing: ReturnType<typeof setTimeout> | null = null

    const draw = () => {
      if (drawing !== null) clearTimeout(drawing)
      drawing = null
      if (stop.signal.aborted) return
      const { light = (result: Result) => result, maxHeavy = Number.POSITIVE_INFINITY, onState } = currentSource()
      const before = value.job
      value = { ...value, ...withEvents(value, waiting, { seen, light, maxHeavy }) }
      waiting = []
      setProgress({ runId, value })
      if (value.job !== null && value.job !== before) onState?.(value.job)
    }
    const connection = (now: Connection, error: ApiError | null = null) => {
      value = { ...value, connection: now, error }
      draw()
    }

    void (async () => {
      for (let failures = 0; !stop.signal.aborted; failures++) {
        try {
          const { stream, query } = currentSource()
          const args = { params: { id: runId }, query: { ...query, after: value.seq } }
          for await (const event of follow<ProgressEvent<Job, Result>>(stream, args, stop.signal)) {
            failures = 0
            if (value.connection !== 'live') connection('live')
            waiting.push(event.type === 'feed' ? await inOwnLanguage(event) : event)
            if (event.type === 'state') draw()
            else drawing ??= setTimeout(draw, DRAW_MS)
          }
        } catch (cause) {
          if (stop.signal.aborted) return
          if (cause instanceof ApiError && isFinal(cause)) return connection('refused', cause)
        }
        draw()
        if (value.ended) return connection('ended')
        connection('reconnecting')
        await pauseUntilOnline(reconnectDelayMs(failures), stop.signal)
      }
    })()
    return () => {
      stop.abort()
      if (drawing !== null) clearTimeout(drawing)
    }
  }, [runId])

  return progress.runId === runId ? progress.value : start()
}

async function inOwnLanguage<Event extends { data: FeedMessage }>(event: Event): Promise<Event> {
  const translate = await translator()
  return { ...event, data: { ...event.data, message: translate(event.data.message) } }
}

const start = <Job, Result>(): Progress<Job, Result> => ({ ...emptyLog<Job, Result>(), connection: 'connecting', error: null })

/** Errors that a retry cannot fix: the run does not exist, is another team's, or the session has ended. */
const isFinal = ({ status }: ApiError) => status >= 400 && status < 500 && status !== 408 && status !== 429
