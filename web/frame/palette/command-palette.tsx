/** The command palette: type a few letters, press Enter. The keyboard focus stays in the field while the list narrows. */
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { isComposing } from '#web/ui/form/composing.ts'
import { CloseIcon, SearchIcon, SpinnerIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/palette.ts'
import { MAX_OF_GROUP, groupsFor } from './shown-groups.ts'
import type { ShownGroup } from './shown-groups.ts'
import { useCommands } from './use-commands.tsx'
import type { Command } from './use-commands.tsx'
import { useModal } from './use-modal.ts'

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { groups, isLoading } = useCommands(query)
  const shown = groupsFor(query, groups)
  const all = shown.flatMap(({ items }) => items)
  const current = Math.min(at, Math.max(0, all.length - 1))
  useModal(dialog, onClose)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, query])

  const choose = (command: Command | undefined) => {
    if (!command) return
    // Close first, so that the focus returns before a navigation.
    onClose()
    queueMicrotask(command.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // During text composition the keys belong to the input method.
    if (isComposing(event)) return
    const steps: Record<string, () => void> = {
      ArrowDown: () => setAt(all.length === 0 ? 0 : (current + 1) % all.length),
      ArrowUp: () => setAt(all.length === 0 ? 0 : (current - 1 + all.length) % all.length),
      PageDown: () => setAt(Math.min(all.length - 1, current + MAX_OF_GROUP)),
      PageUp: () => setAt(Math.max(0, current - MAX_OF_GROUP)),
      Enter: () => choose(all[current]?.command),
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    step()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t.findOrDoAnything}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] mb-0 w-[calc(100%-32px)] max-w-140 overflow-hidden rounded-dialog border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-scrim open:animate-enter max-sm:mt-4"
    >
      <div className="flex h-13 items-center gap-3 border-b border-line px-4 forced-colors:focus-within:outline-2 forced-colors:focus-within:-outline-offset-2">
        <SearchIcon className="text-faint" />
        <input
          type="text"
          role="combobox"
          aria-label={t.findOrDoAnything}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={all[current] ? `${id}-${current}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder={t.aScreenAJobAKey}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-[16px] text-ellipsis outline-none"
        />
        {isLoading && <SpinnerIcon className="text-faint" />}
        <kbd aria-hidden="true" className="rounded-small border border-line px-1.5 font-sans text-label text-faint max-sm:hidden">
          Esc
        </kbd>
        {/* Phones have no Esc key. */}
        <IconButton label={t.close} icon={CloseIcon} onClick={onClose} className="-mr-2 sm:hidden" />
      </div>
      <Results list={list} id={id} groups={shown} current={current} onPoint={setAt} onChoose={choose} />
      {all.length === 0 && <p className="px-4 py-6 text-center text-soft">{isLoading ? t.looking : t.nothingMatches(query.trim())}</p>}
      <p role="status" className="sr-only">
        {query.trim() === '' ? '' : t.resultCount(all.length)}
      </p>
    </dialog>
  )
}

type ResultsProps = {
  list: RefObject<HTMLDivElement | null>
  /** The beginning of the ids of the list and its options. */
  id: string
  groups: readonly ShownGroup[]
  /** The index of the selected item among the items of all groups. */
  current: number
  onPoint: (index: number) => void
  onChoose: (command: Command) => void
}

function Results({ list, id, groups, current, onPoint, onChoose }: ResultsProps) {
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={t.results}
      className={cx('max-h-[min(26rem,60dvh)] overflow-auto p-1 text-table', groups.length === 0 && 'hidden')}
    >
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-label font-medium text-faint">
            {group.title}
          </div>
          {group.items.map(({ command, marks }, place) => (
            <Option
              key={command.id}
              id={`${id}-${group.from + place}`}
              command={command}
              marks={marks}
              selected={group.from + place === current}
              onPoint={() => onPoint(group.from + place)}
              onChoose={() => onChoose(command)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  command: Command
  marks: readonly number[]
  selected: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, command: { label, icon: Icon, picture, end }, marks, selected, onPoint, onChoose }: OptionProps) {
  return (
    // The field has the keyboard focus and names the active option.
    <div
      id={id}
      role="option"
      aria-selected={selected}
      // Only a moving pointer selects: a list that narrows under a resting pointer must not.
      onPointerMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx('flex h-9 cursor-pointer items-center gap-2.5 rounded-small px-2.5', selected && 'bg-hover')}
    >
      <span className="grid size-6 flex-none place-items-center">{picture ?? (Icon && <Icon className="text-faint" />)}</span>
      <span className="min-w-0 flex-1 truncate" title={label}>
        <Marked text={label} marks={marks} />
      </span>
      {end && <span className="flex-none text-label text-faint">{end}</span>}
      {selected && (
        <kbd aria-hidden="true" className="rounded-small border border-line px-1.5 font-sans text-label text-faint max-sm:hidden">
          ↵
        </kbd>
      )}
    </div>
  )
}

/** The text with the matched letters in bold. */
function Marked({ text, marks }: { text: string; marks: readonly number[] }) {
  const meant = new Set(marks)
  const parts: { text: string; isMeant: boolean; from: number }[] = []
  for (const [at, letter] of Array.from(text).entries()) {
    const last = parts.at(-1)
    if (last && last.isMeant === meant.has(at)) last.text += letter
    else parts.push({ text: letter, isMeant: meant.has(at), from: at })
  }
  return parts.map(({ text: part, isMeant, from }) =>
    isMeant ? (
      <b key={from} className="font-semibold text-accent-ink">
        {part}
      </b>
    ) : (
      part
    ),
  )
}
