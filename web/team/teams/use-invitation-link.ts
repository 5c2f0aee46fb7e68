/** Creates and copies the link of an invitation, to pass it on without a mail. */
import { useState } from 'react'
import { linkInvitation, listInvitations } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/hooks.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import * as t from '#texts/teams.ts'

/**
 * @returns `copyLink(id)` creates a new link and copies it; `copyLinkFor(email)` finds the invitation first; `link` is set when the browser
 *   refused to copy, so that the user can do it by hand; `dismiss` resets it
 */
export function useInvitationLink() {
  const [link, setLink] = useState<string | null>(null)
  const make = useAction(linkInvitation)
  const { copy } = useCopy()
  return { copyLink, copyLinkFor, dismiss: () => setLink(null), link }

  async function copyLink(id: string): Promise<void> {
    const outcome = await make.run({ params: { id } })
    if (!outcome.ok) toast.error(outcome.error.message || t.failedToMakeAnInvitationLink)
    else if (await copy(outcome.answer.link)) toast.success(t.invitationLinkCopied)
    else setLink(outcome.answer.link)
  }

  async function copyLinkFor(email: string): Promise<void> {
    try {
      const invitation = (await call(listInvitations)).find((one) => one.email.toLowerCase() === email.toLowerCase())
      if (invitation) await copyLink(invitation.uuid)
      else toast.error(t.thisInvitationIsNotPendingAny)
    } catch (cause) {
      toast.error(cause instanceof Error && cause.message ? cause.message : t.failedToMakeAnInvitationLink)
    }
  }
}
