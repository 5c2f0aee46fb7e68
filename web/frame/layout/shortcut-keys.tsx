/** Every key that does something, and where. */
import { Dialog } from '#web/ui/dialog/dialog.tsx'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

const GROUPS: readonly { title: string; keys: readonly { keys: readonly string[]; does: string }[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      { keys: [isMac ? '⌘' : 'Ctrl', 'K'], does: 'Find or do anything' },
      { keys: ['?'], does: 'This list' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    title: 'Crawl, search and sitemap',
    keys: [{ keys: ['↵'], does: 'Start, in the address or query' }],
  },
  {
    title: 'Results',
    keys: [
      { keys: ['↑', '↓'], does: 'Page before or after, in the list' },
      { keys: ['Home', 'End'], does: 'First or last page, in the list' },
      { keys: ['F'], does: 'Full window, and back' },
      { keys: ['←', '→'], does: 'Page before or after, in the full window' },
      { keys: ['↵'], does: 'Next match, in the search within a page' },
    ],
  },
  {
    title: 'Logs',
    keys: [{ keys: ['Space'], does: 'Select a row, on its box' }],
  },
]

export function ShortcutKeys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="normal">
      {GROUPS.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-1 text-label font-medium text-faint">{title}</h3>
          <dl className="text-ink">
            {keys.map(({ keys: pressed, does }) => (
              <div key={does} className="flex min-h-9 items-center justify-between gap-4 border-b border-line last:border-b-0">
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
