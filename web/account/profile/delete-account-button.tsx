/** Deletes an account. Lists what is deleted with it, and asks for the password or a mailed code. */
import { useState } from 'react'
import { deleteAccount, describeAccountDeletion, mailDeletionCode } from '#contract/accounts.ts'
import type { AccountContents } from '#contract/accounts.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { useForm } from '#web/api/use-form.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/choice.tsx'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { PasswordField, TextField } from '#web/ui/form/field.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/profile.ts'

/** Query parameter with the code in the mail's link. */
const CODE = 'deletion_code'

export function DeleteAccountButton({ hasPassword }: { hasPassword: boolean }) {
  const query = useQuery()
  const mailed = query.get(CODE)
  const [isAsking, setAsking] = useState(mailed !== '')
  const close = () => {
    setAsking(false)
    if (mailed !== '') query.change({ [CODE]: '' })
  }
  return (
    <>
      <Button look="removal" icon={TrashIcon} onClick={() => setAsking(true)}>
        {t.deleteAccount}
      </Button>
      {isAsking && <DeleteAccountDialog hasPassword={hasPassword} mailed={mailed} onClose={close} />}
    </>
  )
}

function DeleteAccountDialog({ hasPassword, mailed, onClose }: { hasPassword: boolean; mailed: string; onClose: () => void }) {
  const { data: contents, error } = useEndpoint(describeAccountDeletion, {}, { revalidateOnMount: true })
  const action = useAction(deleteAccount)
  const translate = useServerMessages()
  const { check, field, form, values } = useForm({
    initial: { password: '', code: mailed, takesTeams: false },
    submissions: [action],
    serverNames: { password: 'current_password' },
  })
  const code = values.code.trim()
  const mail = useAction(mailDeletionCode)
  const byCode = !hasPassword || mailed !== ''
  const shared = contents?.teams.filter(({ other_members: others }) => others > 0) ?? []
  const isReady =
    contents !== undefined &&
    contents.obstacles.length === 0 &&
    (byCode ? code : values.password) !== '' &&
    (shared.length === 0 || values.takesTeams)
  const remove = async () => {
    if (!isReady || action.busy) return
    const outcome = await action.run({
      body: { ...(byCode ? { code } : { current_password: values.password }), delete_teams: values.takesTeams },
    })
    if (!outcome.ok) {
      if (!fieldError(outcome.error, 'current_password') && !fieldError(outcome.error, 'code')) toast.error(outcome.error.message)
      return
    }
    logOut()
    toast.success(t.yourAccountWasDeleted)
  }
  const sendCode = async () => {
    const outcome = await mail.run()
    if (outcome.ok) toast.success(t.theCodeIsOnItsWay)
    else toast.error(outcome.error.message)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.deleteYourAccount}
      size="normal"
      formRef={form}
      onSubmit={() => void remove()}
      footer={
        <FormButtons onCancel={onClose} look="danger" disabled={!isReady} busy={action.busy} busyLabel={t.deleting}>
          {t.deleteAccount}
        </FormButtons>
      }
    >
      {contents ? (
        <>
          <Contents contents={contents} />
          {contents.obstacles.map((obstacle) => (
            <Notice key={obstacle} tone="danger" title={translate(obstacle)} />
          ))}
          {contents.obstacles.length === 0 && (
            <div className="grid gap-4 text-ink">
              {shared.length > 0 && (
                <Checkbox
                  label={t.deleteAlthoughOthersBelongTo(shared.map(({ name }) => name).join(', '), shared.length)}
                  hint={t.theOtherMembersLoseEverythingThat}
                  {...check('takesTeams')}
                />
              )}
              {byCode ? (
                <div className="flex flex-wrap items-end gap-2">
                  <TextField
                    className="min-w-0 flex-1 basis-60"
                    label={t.codeFromTheMail}
                    {...field('code')}
                    autoComplete="one-time-code"
                  />
                  <Button busy={mail.busy} busyLabel={t.sending} onClick={() => void sendCode()}>
                    {t.mailMeACode}
                  </Button>
                </div>
              ) : (
                <PasswordField
                  label={t.currentPassword}
                  autoFocus={shared.length === 0}
                  {...field('password')}
                  autoComplete="current-password"
                />
              )}
            </div>
          )}
        </>
      ) : error ? (
        <Notice tone="danger" title={t.whatBelongsToYourAccountCould}>
          {error.message}
        </Notice>
      ) : (
        <Loading>{t.lookingAtWhatBelongsToYour}</Loading>
      )}
    </Dialog>
  )
}

function Contents({ contents: { teams, memberships, api_keys: keys } }: { contents: AccountContents }) {
  return (
    <>
      <p>{t.thisIsDeletedWithYourAccount}</p>
      <ul className="grid list-disc gap-1 pl-5 text-ink">
        {teams.map(({ uuid, name, other_members: others, runs, pages }) => (
          <li key={uuid} className="wrap-anywhere">
            {t.theTeam(name, t.jobs(runs), t.storedPages(pages), others > 0 ? t.andTheAccessOf(t.otherMembers(others)) : '')}
          </li>
        ))}
        {memberships > 0 && <li>{t.yourAccessToOfOthersWhat(t.teams(memberships))}</li>}
        {keys > 0 && <li>{t.thatYouMadeInThoseTeams(t.apiKeys(keys))}</li>}
        <li>{t.yourProfileYourPasswordAndAll}</li>
      </ul>
    </>
  )
}
