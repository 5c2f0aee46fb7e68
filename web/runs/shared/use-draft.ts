/** Keeps a form that was filled in and not sent: leaving the screen, a reload or a new sign-in does not lose it. */
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { PathName } from '#web/navigation.ts'
import { currentTeamId } from '#web/state/current-team.ts'
import { ownName } from '#web/state/runtime-config.ts'
import { session } from '#web/state/session.ts'
import { handedOverTo } from './hand-over.ts'

/** A form, and whose it is: another user, or another team, must not see it. */
type Draft = { owner: string; values: unknown }

/**
 * The drafts of this page. A form can contain passwords, so the browser's storage has a draft only while the page is being reloaded; it is
 * removed when the form is shown again.
 */
const drafts = new Map<string, Draft>()

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
  const [initial] = useState(() => JSON.stringify(values))
  const key = ownName(`draft-${path}`)

  const restore = useEffectEvent(() => {
    if (isSent || handedOverTo(path) !== null) return
    const draft = drafts.get(key) ?? takeStored(key)
    drafts.delete(key)
    if (draft?.owner === owner) set(draft.values as Values)
  })
  useLayoutEffect(() => restore(), [])

  const draftOf = useEffectEvent((): Draft | null => (isSent || JSON.stringify(values) === initial ? null : { owner, values }))
  useEffect(() => {
    const store = ({ persisted }: PageTransitionEvent) => {
      const draft = draftOf()
      // A page in the back/forward cache keeps its form itself.
      if (draft !== null && !persisted) window.sessionStorage.setItem(key, JSON.stringify(draft))
    }
    window.addEventListener('pagehide', store)
    return () => {
      window.removeEventListener('pagehide', store)
      const draft = draftOf()
      if (draft !== null) drafts.set(key, draft)
    }
  }, [key])
}

/** The draft that was stored before a reload, which is removed. */
function takeStored(key: string): Draft | null {
  try {
    const text = window.sessionStorage.getItem(key)
    window.sessionStorage.removeItem(key)
    return text === null ? null : (JSON.parse(text) as Draft)
  } catch {
    return null // the browser refuses storage
  }
}
