/**
 * The spec of a run in our own format, whichever API it came through. It is stored as JSON with the run, together with its version.
 *
 * Optional fields can be added at any time. Changing the meaning of a field raises the version, and `readRunSpec` converts the older one.
 */
export const SPEC_VERSION = 1

export type RunSpec = {
  version: typeof SPEC_VERSION
  /** The proxy server that all requests must go through; null leaves the choice to the team's default. */
  proxySlug: string | null
}

/** Converts what 0.2 and older stored without a version: the options of the v1 API. */
export type UpgradeSpec = (kind: string, options: Record<string, unknown>) => RunSpec

/** Parses a stored spec. Throws for one that a newer version of the product has written. */
export function readRunSpec(stored: string): RunSpec {
  const spec = JSON.parse(stored) as RunSpec
  if (spec.version !== SPEC_VERSION) throw new Error(`The run was stored by a newer version: its spec has version ${String(spec.version)}.`)
  return spec
}

/** For readers that only know the present version. */
export const cannotUpgrade: UpgradeSpec = (kind) => {
  throw new Error(`This ${kind} was stored by an older version, whose format is no longer supported.`)
}
