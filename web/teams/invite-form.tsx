/** Invites somebody to the team by mail. */
import { useRef, useState } from 'react'
import { isEmail } from '#contract/addresses.ts'
import { inviteMember, listInvitations } from '#contract/teams.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { MailIcon, UserPlusIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toaster.tsx'

export function InviteForm() {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const invite = useAction(inviteMember, { refreshes: [listInvitations] })
  const box = useRef<HTMLFormElement>(null)

  const refuse = (words: string) => {
    setProblem(words)
    box.current?.querySelector('input')?.focus()
  }
  const submit = async () => {
    if (invite.busy) return
    const address = email.trim()
    if (address === '') return refuse('Email is required')
    if (!isEmail(address)) return refuse('Please enter a valid email')
    const outcome = await invite.run({ body: { email: address } })
    if (outcome.ok) {
      setEmail('')
      toast.success(`Invitation sent to ${address}`)
      return
    }
    const message = outcome.error.message || 'Failed to send the invitation'
    toast.error(message)
    refuse(fieldError(outcome.error, 'email') ?? message)
  }
  return (
    <form
      ref={box}
      noValidate
      aria-label="Invite member"
      className="flex max-w-130 flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Email"
        hideLabel
        type="email"
        icon={MailIcon}
        placeholder="name@example.org"
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
      <Button type="submit" icon={UserPlusIcon} busy={invite.busy} busyLabel="Inviting…">
        Invite
      </Button>
    </form>
  )
}
