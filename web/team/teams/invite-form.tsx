/** Invites a person to the team: by mail, or by a link to hand over where the server sends none. */
import { useRef, useState } from 'react'
import { isEmail } from '#contract/addresses.ts'
import { getSettings } from '#contract/settings.ts'
import { inviteMember, listInvitations } from '#contract/teams.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon, UserPlusIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import { useInvitationLink } from './use-invitation-link.ts'

/** @param isOwner  whether the person may have the link of an invitation */
export function InviteForm({ isOwner }: { isOwner: boolean }) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const invite = useAction(inviteMember, { refreshes: [listInvitations] })
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const invitationLink = useInvitationLink()
  const box = useRef<HTMLFormElement>(null)

  const refuse = (words: string) => {
    setProblem(words)
    box.current?.querySelector('input')?.focus()
  }
  const tell = (address: string) => {
    const words = sendsMail ? t.invitationSentTo(address) : t.isInvitedThisServerSendsNo(address)
    if (isOwner) toast.offer(words, { label: t.copyInvitationLink, act: () => void invitationLink.copyLinkFor(address) })
    else if (sendsMail) toast.success(words)
    else toast.blank(t.isInvitedThisServerSendsNo2(address))
  }
  const submit = async () => {
    if (invite.busy) return
    const address = email.trim()
    if (address === '') return refuse(t.emailIsRequired)
    if (!isEmail(address)) return refuse(t.pleaseEnterAValidEmail)
    const outcome = await invite.run({ body: { email: address } })
    if (outcome.ok) {
      setEmail('')
      tell(address)
      return
    }
    const message = outcome.error.message || t.failedToSendTheInvitation
    toast.error(message)
    refuse(fieldError(outcome.error, 'email') ?? message)
  }
  return (
    <>
      <form
        ref={box}
        noValidate
        aria-label={t.inviteMember}
        className="flex max-w-130 flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={t.email}
          hideLabel
          type="email"
          icon={MailIcon}
          placeholder={t.nameExampleOrg}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={problem}
          className="min-w-50 flex-1"
          onChange={(value) => {
            setEmail(value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" icon={UserPlusIcon} busy={invite.busy} busyLabel={t.inviting}>
          {t.invite}
        </Button>
      </form>
      <InvitationLinkDialog link={invitationLink.link} onClose={invitationLink.dismiss} />
    </>
  )
}
