/** Shows an invitation link that the browser would not copy by itself. */
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/form/field.tsx'

/** @param link  null keeps the dialog closed */
export function InvitationLinkDialog({ link, onClose }: { link: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={link !== null}
      onClose={onClose}
      title="Invitation link"
      onSubmit={onClose}
      footer={
        <Button look="primary" type="submit">
          Done
        </Button>
      }
    >
      <TextField
        label="Link"
        hint="The browser refused to copy it. Select it and copy it by hand. It works once, for the invited address."
        value={link ?? ''}
        readOnly
        className="text-ink"
        onChange={() => undefined}
      />
    </Dialog>
  )
}
