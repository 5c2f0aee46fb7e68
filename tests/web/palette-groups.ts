import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_OF_GROUP, groupsFor } from '#web/frame/palette/shown-groups.ts'
import type { CommandGroup } from '#web/frame/palette/use-commands.tsx'

const palette = suite('groups of the command palette')

const command = (label: string) => ({ id: label, label, run: () => undefined })
const group = (title: string, labels: readonly string[]): CommandGroup => ({ title, commands: labels.map(command) })

const SCREENS = ['Crawl', 'Search', 'Sitemap', 'Usage', 'Settings', 'Profile']
const KEYS = Array.from({ length: 9 }, (_, number) => `Key ${number}`)

palette('before anything is typed all screens are shown, and four items of each other group', () => {
  const shown = groupsFor('', [group('Keys', KEYS), group('Go to', SCREENS)])
  assert.equal(
    shown.map(({ title, from, items }) => [title, from, items.length]),
    [
      ['Keys', 0, 4],
      ['Go to', 4, 6],
    ],
  )
})

palette('the group with the best match comes first, and only matching items are shown', () => {
  const shown = groupsFor('usage', [group('Keys', ['Used by age', 'Laptop']), group('Go to', SCREENS)])
  assert.is(shown[0]?.title, 'Go to')
  assert.equal(
    shown[0]?.items.map((item) => item.command.label),
    ['Usage'],
  )
  assert.not(shown.some(({ items }) => items.some((item) => item.command.label === 'Laptop')))
})

palette('a group shows a limited number of matches', () => {
  assert.is(groupsFor('key', [group('Keys', KEYS)])[0]?.items.length, MAX_OF_GROUP)
})

palette.run()
