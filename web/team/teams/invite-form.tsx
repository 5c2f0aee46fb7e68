/** Invites a person to the team: by mail, or by a link to pass on when the server sends none. */
import { isEmail } from '#contract/addresses.ts'
import { getSettings } from '#contract/settings.ts'
import { inviteMember, listInvitations } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/form/button.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon, UserPlusIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import { useInvitationLink } from './use-invitation-link.ts'

/** @param isOwner  whether the user owns the team, and so may see invitation links */
export function InviteForm({ isOwner }: { isOwner: boolean }) {
  const invite = useAction(inviteMember, { refreshes: [listInvitations] })
  const { attempt, field, form, restart, shown, values } = useForm({
    initial: { email: '' },
    judge: emailErrors,
    submissions: [invite],
  })
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const invitationLink = useInvitationLink()

  const tell = (address: string) => {
    const words = sendsMail ? t.invitationSentTo(address) : t.invitedWithoutMail(address)
    if (isOwner) toast.offer(words, { label: t.copyInvitationLink, act: () => void invitationLink.copyLinkFor(address) })
    else if (sendsMail) toast.success(words)
    else toast.blank(t.invitedWithoutMailByAdmin(address))
  }
  const submit = async () => {
    if (invite.busy) return
    const address = values.email.trim()
    const outcome = await invite.run({ body: { email: address } })
    if (!outcome.ok) return toast.error(outcome.error.message || t.failedToSendTheInvitation)
    restart()
    tell(address)
  }
  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={t.inviteMember}
        className="flex max-w-130 flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          attempt(() => void submit())
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
          className="min-w-50 flex-1"
          {...field('email')}
          error={shown('email') ?? (invite.error ? invite.error.message || t.failedToSendTheInvitation : undefined)}
        />
        <Button type="submit" icon={UserPlusIcon} busy={invite.busy} busyLabel={t.inviting}>
          {t.invite}
        </Button>
      </form>
      <InvitationLinkDialog link={invitationLink.link} onClose={invitationLink.dismiss} />
    </>
  )
}

function emailErrors({ email }: { email: string }): { email?: string } {
  if (email.trim() === '') return { email: t.emailIsRequired }
  return isEmail(email.trim()) ? {} : { email: t.pleaseEnterAValidEmail }
}
