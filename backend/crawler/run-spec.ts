/**
 * What is asked of a run, in our own words, whichever API it came in by. It is stored as JSON beside the run, with its version.
 *
 * A field that may be absent can be added at any time. One whose meaning changes raises the version, and `readRunSpec` translates the older one.
 */
export const SPEC_VERSION = 1

export type RunSpec = {
  version: typeof SPEC_VERSION
  /** The proxy server that all requests must go through; null leaves the choice to the team's default. */
  proxySlug: string | null
}

/** What is stored of a kind of run without a version, by 0.2 and older: the options of the v1 API. */
export type UpgradeSpec = (kind: string, options: Record<string, unknown>) => RunSpec

/** A spec as it was stored. Throws for one that a newer version of the product has written. */
export function readRunSpec(stored: string): RunSpec {
  const spec = JSON.parse(stored) as RunSpec
  if (spec.version !== SPEC_VERSION) throw new Error(`The run was stored by a newer version: its spec has version ${String(spec.version)}.`)
  return spec
}

/** For a reader that knows the present version alone. */
export const cannotUpgrade: UpgradeSpec = (kind) => {
  throw new Error(`This ${kind} was stored by an older version, which is not read here.`)
}
