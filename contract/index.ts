/** The table of every endpoint. */
import * as accounts from './accounts.ts'
import * as crawls from './crawls.ts'
import type * as z from 'zod/mini'
import type { EndpointSpec } from './endpoint.ts'
import * as mcp from './mcp.ts'
import * as models from './models.ts'
import * as ownPages from './own-pages.ts'
import * as plans from './plans.ts'
import * as plugins from './plugins.ts'
import * as presets from './presets.ts'
import * as proxies from './proxies.ts'
import * as reference from './reference.ts'
import * as runs from './runs.ts'
import * as schedules from './schedules.ts'
import * as scrape from './scrape.ts'
import * as searches from './searches.ts'
import * as settings from './settings.ts'
import * as sitemaps from './sitemaps.ts'
import * as teams from './teams.ts'
import * as usage from './usage.ts'
import * as webhooks from './webhooks.ts'

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const isShape = (value: unknown): value is z.ZodMiniType => typeof value === 'object' && value !== null && '_zod' in value

const FILES = [
  settings,
  accounts,
  teams,
  crawls,
  presets,
  schedules,
  scrape,
  plugins,
  models,
  searches,
  sitemaps,
  proxies,
  webhooks,
  usage,
  plans,
  ownPages,
  mcp,
  reference,
]

/** Every endpoint of the product by its name in the code. */
export const ENDPOINTS: ReadonlyMap<string, EndpointSpec> = new Map(
  FILES.flatMap((file) => Object.entries(file).filter((entry): entry is [string, EndpointSpec] => isEndpoint(entry[1]))),
)

/** Every shape that has a name in the code, `crawlRequest`, by itself. */
export const SHAPES: ReadonlyMap<z.ZodMiniType, string> = new Map(
  [runs, ...FILES].flatMap((file) =>
    Object.entries(file).flatMap(([name, value]): [z.ZodMiniType, string][] =>
      isShape(value) && value !== crawls.extraHeaders ? [[value, name]] : [],
    ),
  ),
)
