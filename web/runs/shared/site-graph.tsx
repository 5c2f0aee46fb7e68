/** The tree of a site's URLs, with search and buttons to open and close all; beside it the diagram. */
import { useMemo, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import type { SiteTree } from '#contract/sitemaps.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { SearchIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/site.ts'
import { SiteDiagramView } from './site-diagram-view.tsx'
import { SiteTreeView } from './site-tree-view.tsx'
import { branchIds, countPages, matching, siteNodes } from './site-tree.ts'

/** `empty` is shown if the tree is empty. */
export function SiteGraph({ tree, empty }: { tree: SiteTree; empty: string }) {
  const all = useMemo(() => siteNodes(tree), [tree])
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(all.map(({ id }) => id)))
  /** The visible one on a screen that has room for only one. */
  const [shown, setShown] = useState<'tree' | 'diagram'>('tree')
  const [revealed, setRevealed] = useState<{ id: string } | null>(null)
  const nodes = useMemo(() => matching(all, text), [all, text])
  // Open all branches with matches, however deep they are.
  const found = useMemo(() => (text.trim() === '' ? null : new Set(branchIds(nodes))), [nodes, text])
  const reveal = (id: string) => {
    setText('')
    // Ids are paths: each prefix is the id of a parent folder.
    const folders = [...id.matchAll(/\//g)].slice(1).map(({ index }) => id.slice(0, index))
    setOpened(new Set([...opened, ...folders]))
    setRevealed({ id })
  }
  if (all.length === 0) return <EmptyState net="plain" title={empty} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          className="min-w-40 flex-1 max-sm:basis-full"
          label={t.searchInTheTree}
          hideLabel
          placeholder={t.searchInTheTree}
          size="small"
          type="search"
          icon={SearchIcon}
          value={text}
          onChange={setText}
        />
        <Button size="small" className="h-8 max-sm:flex-1" onClick={() => setOpened(new Set(branchIds(all)))}>
          {t.expandAll}
        </Button>
        <Button size="small" className="h-8 max-sm:flex-1" onClick={() => setOpened(new Set())}>
          {t.collapseAll}
        </Button>
        <div className="lg:hidden">
          <Segmented
            label={t.shown}
            value={shown}
            onChange={setShown}
            options={[
              { value: 'tree', label: t.tree },
              { value: 'diagram', label: t.diagram },
            ]}
          />
        </div>
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 gap-4">
        <div className={cx('flex min-h-0 min-w-0 flex-1 flex-col', shown === 'diagram' && 'max-lg:hidden')}>
          {nodes.length === 0 ? (
            <EmptyState net="plain" title={t.nothingMatchesTheSearch} />
          ) : (
            <SiteTreeView nodes={nodes} open={found ?? opened} onOpen={found ? () => undefined : setOpened} reveal={revealed} />
          )}
        </div>
        <div className={cx('flex min-h-0 min-w-0 flex-1 lg:border-l lg:border-line lg:pl-4', shown === 'tree' && 'max-lg:hidden')}>
          <SiteDiagramView hosts={all} onPick={reveal} />
        </div>
      </div>
      <p className="flex-none text-label text-faint">{t.clickABranchToOpenOr(<span className="num">{t.pages(countPages(nodes))}</span>)}</p>
    </>
  )
}
