/** A crawl's scope, and its settings for the parser threads. Both change when a start URL redirects to another host. */
import type { TakenRun } from '#backend/store/run-store.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { extensionsOf } from '#backend/crawler/documents/document-types.ts'
import type { PageRules } from '#backend/crawler/page/page-rules.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import { compileScope } from '#backend/crawler/url/scope.ts'
import type { OutOfScope } from '#backend/crawler/url/scope.ts'

/** @param seedHosts  hosts of the crawl; a host that joins is added */
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
  /** Names of all generations: pages that are being parsed still refer to theirs. */
  const names: string[] = []
  let rules = make(0)
  let judge = compileScope(rules.scope)
  let judgeTarget = compileScope(rules.scope, { anyType: true })
  pool.define(rules)
  return {
    judge: (url: string): OutOfScope | null => judge(url),
    /** The same for the target of a redirect within a host: its answer tells the file type. */
    judgeTarget: (url: string): OutOfScope | null => judgeTarget(url),
    isSeedHost: (host: string) => seedHosts.has(host),
    join,
    forget: () => names.forEach((name) => pool.forget(name)),
    /** Name of the current rules. */
    get name() {
      return rules.name
    },
  }

  /** Adds a host to the crawl. */
  function join(host: string) {
    seedHosts.add(host)
    rules = make(seedHosts.size)
    judge = compileScope(rules.scope)
    judgeTarget = compileScope(rules.scope, { anyType: true })
    pool.define(rules)
  }

  function make(generation: number): PageRules {
    const name = `${row.runNo}/${row.token}/${generation}`
    names.push(name)
    const { keepTypes = [] } = spec.page
    const { allLinks = false, includeLinks, ...extraction } = spec.extraction
    return {
      name,
      share: row.share,
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
