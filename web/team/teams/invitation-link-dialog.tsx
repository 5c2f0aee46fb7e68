/** Shows an invitation link when the browser refused to copy it. */
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/teams.ts'

/** @param link  null keeps the dialog closed */
export function InvitationLinkDialog({ link, onClose }: { link: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={link !== null}
      onClose={onClose}
      title={t.invitationLink}
      onSubmit={onClose}
      footer={
        <Button look="primary" type="submit">
          {t.done}
        </Button>
      }
    >
      <TextField
        label={t.link}
        hint={t.theBrowserRefusedToCopyIt}
        value={link ?? ''}
        readOnly
        className="text-ink"
        onChange={() => undefined}
      />
    </Dialog>
  )
}
