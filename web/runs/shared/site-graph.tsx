/** The tree of a site's addresses: searched, opened and closed as a whole, counted. */
import { useMemo, useState } from 'react'
import type { SiteTree } from '#contract/sitemaps.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { SearchIcon } from '#web/ui/icons.tsx'
import { countText } from '#web/ui/text/time-texts.ts'
import { SiteTreeView } from './site-tree-view.tsx'
import { branchIds, countPages, matching, siteNodes } from './site-tree.ts'

/** `empty` is said where the tree has nothing in it. */
export function SiteGraph({ tree, empty }: { tree: SiteTree; empty: string }) {
  const all = useMemo(() => siteNodes(tree), [tree])
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(all.map(({ id }) => id)))
  const nodes = useMemo(() => matching(all, text), [all, text])
  // What a search finds is in sight at once, however deep it stands.
  const found = useMemo(() => (text.trim() === '' ? null : new Set(branchIds(nodes))), [nodes, text])
  if (all.length === 0) return <EmptyState net="plain" title={empty} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          className="min-w-40 flex-1 max-sm:basis-full"
          label="Search in the tree"
          hideLabel
          placeholder="Search in the tree"
          size="small"
          type="search"
          icon={SearchIcon}
          value={text}
          onChange={setText}
        />
        <Button size="small" className="h-8 max-sm:flex-1" onClick={() => setOpened(new Set(branchIds(all)))}>
          Expand all
        </Button>
        <Button size="small" className="h-8 max-sm:flex-1" onClick={() => setOpened(new Set())}>
          Collapse all
        </Button>
      </div>
      {nodes.length === 0 ? (
        <EmptyState net="plain" title="Nothing matches the search" />
      ) : (
        <SiteTreeView nodes={nodes} open={found ?? opened} onOpen={found ? () => undefined : setOpened} />
      )}
      <p className="flex-none text-label text-faint">
        <span className="num">{countText(countPages(nodes), 'page')}</span>. Click a branch to open or close it; numbers count the pages
        below; a title opens its page.
      </p>
    </>
  )
}
