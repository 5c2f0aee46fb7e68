/** The list of keyboard shortcuts. */
import { COMMAND_KEY } from './command-key.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import * as t from '#texts/layout.ts'

const GROUPS: readonly { title: string; keys: readonly { keys: readonly string[]; does: string }[] }[] = [
  {
    title: t.anywhere,
    keys: [
      { keys: [COMMAND_KEY, 'K'], does: t.findOrDoAnything },
      { keys: ['?'], does: t.thisList },
      { keys: ['Esc'], does: t.closeWhatIsOpen },
    ],
  },
  {
    title: t.crawlSearchAndSitemap,
    keys: [{ keys: ['↵'], does: t.startInTheUrlOrQuery }],
  },
  {
    title: t.results,
    keys: [
      { keys: ['↑', '↓'], does: t.pageBeforeOrAfterInList },
      { keys: [t.homeKey, t.endKey], does: t.firstOrLastPageInList },
      { keys: ['F'], does: t.fullWindowAndBack },
      { keys: ['←', '→'], does: t.pageBeforeOrAfterInWindow },
      { keys: ['↵'], does: t.nextMatchInTheSearchWithin },
    ],
  },
  {
    title: t.logs,
    keys: [{ keys: [t.spaceKey], does: t.selectARowOnItsBox }],
  },
]

export function ShortcutKeys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t.keyboardShortcuts} size="normal">
      {GROUPS.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-1 text-label font-medium text-faint">{title}</h3>
          <dl className="text-ink">
            {keys.map(({ keys: pressed, does }) => (
              <div key={does} className="flex min-h-9 items-center justify-between gap-4 border-b border-line py-1.5 last:border-b-0">
                <dt>{does}</dt>
                <dd className="flex flex-none gap-1">
                  {pressed.map((key) => (
                    <kbd key={key} className="rounded-small border border-line-strong bg-surface px-1.5 font-sans text-label">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
