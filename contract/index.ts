/** The table of every endpoint, in the order of the API reference. */
import * as accounts from './accounts.ts'
import * as crawls from './crawls.ts'
import type { EndpointSpec } from './endpoint.ts'
import * as ownPages from './own-pages.ts'
import * as searches from './searches.ts'
import * as settings from './settings.ts'
import * as sitemaps from './sitemaps.ts'
import * as teams from './teams.ts'
import * as usage from './usage.ts'

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every endpoint of the product by its name in the code. */
export const ENDPOINTS: ReadonlyMap<string, EndpointSpec> = new Map(
  [settings, accounts, teams, crawls, searches, sitemaps, usage, ownPages].flatMap((file) =>
    Object.entries(file).filter((entry): entry is [string, EndpointSpec] => isEndpoint(entry[1])),
  ),
)
