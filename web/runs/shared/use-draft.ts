/** Keeps a form that was filled in and not sent: leaving the screen, a reload or a new sign-in does not lose it. */
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { PathName } from '#web/navigation.ts'
import { currentTeamId } from '#web/state/current-team.ts'
import { draftKey, drafts, logOutsSoFar } from '#web/state/drafts.ts'
import type { Draft } from '#web/state/drafts.ts'
import { session } from '#web/state/session.ts'
import { handedOverTo } from './hand-over.ts'

/**
 * Fills the form with the draft of an earlier visit, and keeps a draft when the screen is left.
 *
 * @param isSent  the form was sent, or shows an earlier run: there is no draft then
 */
export function useDraft<Values extends object>(
  path: PathName,
  { set, values }: { set: (values: Values) => void; values: Values },
  isSent: boolean,
): void {
  const [owner] = useState(() => `${session.userId.peek()} ${currentTeamId()}`)
  const [logOuts] = useState(logOutsSoFar)
  const [initial] = useState(() => JSON.stringify(values))
  const key = draftKey(path)

  const restore = useEffectEvent(() => {
    if (isSent || handedOverTo(path) !== null) return
    const draft = drafts.get(key) ?? takeStored(key)
    drafts.delete(key)
    if (draft?.owner === owner) set(draft.values as Values)
  })
  useLayoutEffect(() => restore(), [])

  const draftOf = useEffectEvent((): Draft | null => (isSent || JSON.stringify(values) === initial ? null : { owner, values }))
  useEffect(() => {
    const leave = ({ persisted }: PageTransitionEvent) => {
      const draft = draftOf()
      // A page in the back/forward cache keeps its form itself.
      if (draft !== null && !persisted) store(key, draft)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      const draft = draftOf()
      if (draft !== null && logOuts === logOutsSoFar()) drafts.set(key, draft)
    }
  }, [key, logOuts])
}

function store(key: string, draft: Draft): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Without storage, or in a full one, the draft is lost.
  }
}

/** The draft that was stored when the page was left, which is removed. */
function takeStored(key: string): Draft | null {
  try {
    const text = window.sessionStorage.getItem(key)
    window.sessionStorage.removeItem(key)
    return text === null ? null : (JSON.parse(text) as Draft)
  } catch {
    return null // the browser refuses storage
  }
}
