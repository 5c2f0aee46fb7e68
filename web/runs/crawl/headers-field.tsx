/** Extra headers of requests: those added so far, and fields for the next one. */
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { isComposing } from '#web/ui/form/composing.ts'
import { FieldError, TextField } from '#web/ui/form/field.tsx'
import { CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/page-options.ts'
import type { Header } from './crawl-form.ts'

type HeadersFieldProps = { value: readonly Header[]; onChange: (headers: Header[]) => void; error: string | undefined }

export function HeadersField({ value: headers, onChange, error }: HeadersFieldProps) {
  const [draft, setDraft] = useState<Header>({ name: '', value: '' })
  const add = () => {
    const name = draft.name.trim()
    if (name === '') return
    // Header names are case-insensitive: replace an earlier one.
    onChange([...headers.filter((one) => one.name.toLowerCase() !== name.toLowerCase()), { name, value: draft.value.trim() }])
    setDraft({ name: '', value: '' })
  }
  return (
    <div className="grid gap-3">
      {headers.length > 0 && (
        <ul className="rounded-control border border-line bg-surface">
          {headers.map((header) => (
            <li key={header.name} className="flex items-center gap-3 border-b border-line py-1 pr-1 pl-3 text-table last:border-b-0">
              <span className="min-w-0 flex-1 font-mono text-label wrap-anywhere">
                <b className="font-semibold">{header.name}</b>: {header.value}
              </span>
              <IconButton
                label={t.removeHeader(header.name)}
                icon={CloseIcon}
                onClick={() => onChange(headers.filter((one) => one !== header))}
              />
            </li>
          ))}
        </ul>
      )}
      <div
        className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event) || draft.name.trim() === '') return
          event.preventDefault()
          add()
        }}
        // A header that was typed and not added would be missing from the crawl without a sign.
        onBlur={({ currentTarget, relatedTarget, target }) => {
          // A field stays the active element when the user goes to another window, perhaps to copy the rest of the value.
          if (document.activeElement === target) return
          if (!currentTarget.contains(relatedTarget) && draft.value.trim() !== '') add()
        }}
      >
        <TextField
          label={t.headerName}
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          placeholder={t.xVisitor}
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label={t.headerValue} value={draft.value} onChange={(value) => setDraft({ ...draft, value })} spellCheck={false} />
        <Button icon={PlusIcon} disabled={draft.name.trim() === ''} onClick={add}>
          {t.addHeader}
        </Button>
      </div>
      <FieldError error={error} />
    </div>
  )
}
