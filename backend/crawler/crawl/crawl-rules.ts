/** What a crawl tells the parser threads about its pages, and its scope. Both change when a start URL has moved to another host. */
import type { TakenRun } from '#backend/store/run-store.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { extensionsOf } from '#backend/crawler/documents/document-types.ts'
import type { PageRules } from '#backend/crawler/page/page-rules.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import type { OutOfScope } from '#backend/crawler/url/scope.ts'

export type CrawlRules = ReturnType<typeof createCrawlRules>

/** @param seedHosts  hosts that belong to the crawl; a host that joins is added to it */
export function createCrawlRules({
  findsShells,
  maxPageBytes,
  pool,
  row,
  seedHosts,
  spec,
}: {
  findsShells: boolean
  maxPageBytes: number
  pool: Pick<ParsePool, 'define' | 'forget'>
  row: TakenRun
  seedHosts: Set<string>
  spec: CrawlSpec
}) {
  /** Of all generations: pages on their way to a parser still name theirs. */
  const names: string[] = []
  let rules = make(0)
  let judgeUrl = compileScope(rules.scope)
  pool.define(rules)
  return {
    judge: (url: string): OutOfScope | null => judgeUrl(url),
    isSeedHost: (host: string) => seedHosts.has(host),
    join,
    forget: () => names.forEach((name) => pool.forget(name)),
    /** Of the rules by which the next page is parsed. */
    get name() {
      return rules.name
    },
  }

  /** A host belongs to the crawl from now on. */
  function join(host: string) {
    seedHosts.add(host)
    rules = make(seedHosts.size)
    judgeUrl = compileScope(rules.scope)
    pool.define(rules)
  }

  function make(generation: number): PageRules {
    const name = `${row.runNo}/${row.token}/${generation}`
    names.push(name)
    const { keepTypes = [] } = spec.page
    const { allLinks = false, includeLinks, ...extraction } = spec.extraction
    return {
      name,
      share: row.teamId,
      extraction,
      scope: { ...spec.scope, seedHosts: [...seedHosts], ...(keepTypes.length > 0 && { fileTypes: keepTypes.flatMap(extensionsOf) }) },
      includeLinks,
      ...(allLinks && { allLinks }),
      ...(spec.ignoresQuery === true && { ignoresQuery: true }),
      salt: row.urlSalt,
      maxBytes: maxPageBytes,
      plugins: spec.plugins,
      ...(findsShells && { findsShells }),
    }
  }
}
