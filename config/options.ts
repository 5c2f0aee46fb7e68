// Every option, once: variable, type, default, whether it is secret or told to the page, one line of help. `.env.example` and
// `docs/configuration.md` are written from these rows, and `read-config.ts` reads the environment through them.
// An option appears here on the day its feature works, not before.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { isDay } from '#contract/days.ts'

/** The search providers. */
const SEARCH_PROVIDERS = ['searxng', 'brave', 'google', 'own'] as const
type ModelOption = { name: string; price: { input: number; output: number } | null }
type SearchProviderName = (typeof SEARCH_PROVIDERS)[number]

/** The result of parsing an option's text: a value, or the expected form. */
type Read<T> = { value: T } | { expected: string }

export type Option<T = unknown> = {
  /** Shown in the documentation: "whole number, 1 to 512". */
  type: string
  read(text: string): Read<T>
  /** Undefined when there is no default, or when the default depends on other options. */
  fallback: T | undefined
  /** The documentation's text for a default that the value alone does not explain. */
  fallbackText?: string | undefined
  isSecret: boolean
  isPublic: boolean
  help: string
}

type Row<T> = { default?: T; defaultText?: string; public?: boolean; help: string }
/** An option without a default is optional, and its value may be undefined. */
type Reading<T> = <R extends Row<T>>(row: R) => Option<R extends { default: T } ? T : T | undefined>

const option =
  <T>(type: string, read: (text: string) => Read<T>): Reading<T> =>
  (row) =>
    ({
      type,
      read,
      fallback: row.default,
      fallbackText: row.defaultText,
      isSecret: false,
      isPublic: row.public ?? false,
      help: row.help,
    }) as Option<never>

const text = option<string>('text', (value) => ({ value }))
const flag = option<boolean>('true or false', (value) => {
  if (/^(true|1|yes|on)$/i.test(value)) return { value: true }
  return /^(false|0|no|off)$/i.test(value) ? { value: false } : { expected: 'true or false' }
})
const count = <R extends Row<number> & { min?: number; max?: number }>({ min = 0, max = Number.MAX_SAFE_INTEGER, ...row }: R) => {
  const type = `whole number, ${max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`}`
  const read = option<number>(type, (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? { value: number } : { expected: `a ${type}` }
  })
  return read(row) as Option<R extends { default: number } ? number : number | undefined>
}
const choice = <const C extends string>(names: readonly C[], row: Row<C> & { default: C }) =>
  option<C>(names.join(', '), (value) => {
    const name = names.find((known) => known === value)
    return name === undefined ? { expected: `one of ${names.join(', ')}` } : { value: name }
  })(row)
/** An http or https URL, kept as written, except for a trailing slash. */
const url = option<string>('http or https URL', (value) =>
  /^https?:$/.test(protocolOf(value)) ? { value: value.replace(/\/+$/, '') } : { expected: 'a URL that starts with http:// or https://' },
)
/** The URL of an API: paths are appended to it, so it ends with neither a query nor a fragment. */
const apiUrl = option<string>('http or https URL', (value) =>
  /^https?:$/.test(protocolOf(value)) && !/[?#]/.test(value)
    ? { value: value.replace(/\/+$/, '') }
    : { expected: 'a URL that starts with http:// or https://, without ? and #' },
)
/** The URL of an API that browsers call, or to which calls are passed on: a password in it would be published, or not be sent. */
const readOpenApiUrl = (value: string): Read<string> => {
  const { password, username } = URL.parse(value) ?? {}
  return /^https?:$/.test(protocolOf(value)) && !/[?#]/.test(value) && `${username}${password}` === ''
    ? { value: value.replace(/\/+$/, '') }
    : { expected: 'a URL that starts with http:// or https://, without user, password, ? and #' }
}
const openApiUrl = option<string>('http or https URL', readOpenApiUrl)
/** Consoles of OpenID providers show the URL of their configuration, which begins with the issuer. */
const issuer = option<string>('http or https URL', (value) => readOpenApiUrl(value.replace(/\/\.well-known\/openid-configuration\/?$/, '')))
/**
 * Paths of the service itself. Below one of these, a proxy might forward a path with or without its prefix, and we could not distinguish
 * the two.
 */
const OWN_PATHS = /^\/(?:api|assets|health)(?:\/|$)/i
/**
 * The path under which a proxy serves us. It is part of links, routes and storage keys, so it may contain only characters that need no
 * encoding.
 */
const publicUrl = option<string>('http or https URL', (value) => {
  const { hash, password, pathname, search, username } = URL.parse(value) ?? {}
  const path = pathname?.replace(/\/+$/, '')
  const isPlain = path !== undefined && /^(?:\/[\w.~-]+)*$/.test(path) && !OWN_PATHS.test(path)
  return /^https?:$/.test(protocolOf(value)) && isPlain && !/[?#]/.test(value) && `${search}${hash}${username}${password}` === ''
    ? { value: value.replace(/\/+$/, '') }
    : {
        expected:
          'a URL that starts with http:// or https://, with a host and at most a path of letters, digits, -, ., _ and ~ that does not begin with /api, /assets or /health',
      }
})
const smtp = option<string>('smtp or smtps URL', (value) =>
  /^smtps?:$/.test(protocolOf(value)) && new URL(value).hostname !== ''
    ? { value }
    : { expected: 'a URL such as smtp://user:password@mail.example.org:587' },
)
const redis = option<string>('redis or rediss URL', (value) => {
  const { hostname = '', pathname = '' } = URL.parse(value) ?? {}
  return /^rediss?:$/.test(protocolOf(value)) && hostname !== '' && /^(?:\/\d*)?$/.test(pathname) && isDecodable(value)
    ? { value }
    : {
        expected:
          'a URL such as redis://user:password@redis.example.org:6379/0, with a number as its path and % in the password written as %25',
      }
})
/** A shell replaces `~`, but neither a file `.env` nor systemd does: a folder of that name would be created. */
const startsAtHome = (path: string) => /^~(?:\/|$)/.test(path)
/** Without a file, SQLite opens a database that ends with its process. */
const database = option<string>('sqlite: or postgres: URL', (value) => {
  const [, file] = /^sqlite:(.*)$/.exec(value) ?? []
  if (file !== undefined)
    return file !== '' && file !== ':memory:' && !startsAtHome(file)
      ? { value }
      : { expected: 'sqlite: and the path of a file, such as sqlite:/var/lib/seine/seine.db' }
  // The driver understands a URL without a host.
  if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value.replace('@/', '@localhost/'))) return { value }
  return {
    expected:
      'a URL that starts with sqlite: or postgres://, in which user and password have : / ? # @ and % written as %3A %2F %3F %23 %40 and %25',
  }
})
/** For URLs that the page turns into links: only https is allowed, so that no setting can inject a script. */
const link = option<string>('https URL', (value) =>
  protocolOf(value) === 'https:' ? { value } : { expected: 'a URL that starts with https://' },
)
/** The origin of a URL that has nothing but an origin; its port may be the default one. Undefined for other texts. */
const originOf = (text: string): string | undefined => (/^https?:\/\/[^/?#@\\\s]+$/i.test(text) ? URL.parse(text)?.origin : undefined)
/** The origins of a list; undefined if an entry has more than an origin. */
const originsOf = (list: readonly string[]): string[] | undefined => {
  const known = list.map(originOf).filter((one) => one !== undefined)
  return known.length === list.length ? known : undefined
}
/** For our own servers: only an origin. */
const renderers = option<string[]>('http or https URLs, comma separated', (value) => {
  const list = originsOf(listOf(value).map((one) => one.replace(/\/+$/, '')))
  return list !== undefined && list.length > 0
    ? { value: list }
    : { expected: 'URLs such as http://renderer:3000, comma separated, without a path' }
})
const origins = option<string[]>('origins, comma separated', (value) => {
  const list = originsOf(listOf(value))
  return list !== undefined ? { value: list } : { expected: 'origins such as https://app.example.org, comma separated, without a path' }
})
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i
/** JavaScript accepts much more as a date, and reads `03.04.2026` as the fourth of March. */
const date = option<string>('date or instant', (value) => {
  const [, day] = ISO_TIME.exec(value) ?? []
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(value))
    ? { value: new Date(value).toISOString() }
    : { expected: 'a date such as 2026-03-04, or an instant in ISO 8601' }
})
const pattern = (type: string, shape: RegExp, expected: string) =>
  option<string>(type, (value) => (shape.test(value) ? { value } : { expected }))
const networks = option<string[]>('addresses, comma separated', (value) =>
  listOf(value).every(isNetwork)
    ? { value: listOf(value) }
    : { expected: 'ADDRESS[/BITS][:PORT[-PORT]], comma separated, such as 10.20.0.0/16:443 or [fd00::]/8' },
)
const endpoint = option<string>('ADDRESS:PORT', (value) =>
  isEndpoint(value) ? { value } : { expected: 'ADDRESS:PORT, such as 10.0.0.53:53 or [fd00::53]:53' },
)
const searchProviders = option<SearchProviderName[]>(`of ${SEARCH_PROVIDERS.join(', ')}, comma separated`, (value) => {
  const names = listOf(value).map((name) => SEARCH_PROVIDERS.find((known) => known === name))
  const known = names.filter((name) => name !== undefined)
  return known.length === names.length && known.length > 0
    ? { value: known }
    : { expected: `a list of ${SEARCH_PROVIDERS.join(', ')}, comma separated` }
})
/** `name`, or `name=INPUT/OUTPUT` with prices for a million tokens. */
const models = option<ModelOption[]>('models, comma separated', (value) => {
  const list = listOf(value).map((entry) => /^([^\s=]{1,200})(?:=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?))?$/.exec(entry))
  const known = list.flatMap((found) =>
    found === null
      ? []
      : [{ name: found[1]!, price: found[2] === undefined ? null : { input: Number(found[2]), output: Number(found[3]) } }],
  )
  return known.length === list.length && known.length > 0
    ? { value: known }
    : { expected: 'NAME or NAME=INPUT/OUTPUT with prices for a million tokens, comma separated, such as llama3.1:8b,gpt-4o-mini=0.15/0.60' }
})
const MAX_WAITS = 20
const WEEK_SECONDS = 604_800
const waits = option<number[]>('numbers, comma separated', (value) => {
  const seconds = listOf(value).map(Number)
  return seconds.length > 0 && seconds.length <= MAX_WAITS && seconds.every((one) => one >= 0 && one <= WEEK_SECONDS)
    ? { value: seconds }
    : { expected: `1 to ${MAX_WAITS} numbers of seconds, comma separated, each at most a week` }
})
const texts = option<string[]>('texts, comma separated', (value) =>
  listOf(value).length > 0 ? { value: listOf(value) } : { expected: 'texts, comma separated' },
)
/** `s3://BUCKET/PREFIX?endpoint=ORIGIN&region=NAME`. The prefix may contain only characters that need no encoding. */
const blobStore = option<{ bucket: string; prefix: string; endpoint: string; region: string }>('s3: URL', (value) => {
  const { protocol, hostname, pathname = '', searchParams, username, hash } = URL.parse(value) ?? {}
  const region = searchParams?.get('region') ?? 'us-east-1'
  const endpoint = originOf((searchParams?.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, ''))
  const prefix = pathname.replace(/^\/|\/+$/g, '')
  const isPlain =
    /^[a-z0-9][a-z0-9.-]{2,62}$/.test(hostname ?? '') && /^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(prefix) && /^[\w-]+$/.test(region)
  const isKnown = [...(searchParams?.keys() ?? [])].every((name) => name === 'region' || name === 'endpoint')
  return protocol === 's3:' && endpoint !== undefined && isPlain && isKnown && !username && !hash
    ? { value: { bucket: hostname!, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region } }
    : { expected: 'a URL such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1' }
})
const secret = <T>(row: Option<T>): Option<T> => ({ ...row, isSecret: true })

export const OPTIONS = {
  ROLE: choice(['all', 'gateway', 'api', 'worker', 'renderer'], {
    default: 'all',
    help: '`all`: pages, API and crawling. `gateway`: the pages, and a proxy of the API to `BACKEND_URL`. `api`: the API alone. `worker`: crawling alone. `renderer`: a browser that renders pages for workers. See [scaling.md](scaling.md).',
  }),
  HOST: text({ default: '127.0.0.1', help: 'Address to listen on. By default only this machine can connect; containers set `0.0.0.0`.' }),
  PORT: count({ default: 3000, max: 65535, help: 'Port to listen on; 0 chooses a free one.' }),
  DATA_DIR: pattern(
    'text',
    /^(?!~(?:\/|$))/,
    'a path that does not begin with ~',
  )({ default: './data', help: 'The folder with all data to keep: the database, the generated key and captured files.' }),
  DATABASE_URL: secret(
    database({
      defaultText: '`seine.db` in `DATA_DIR`',
      help: 'The database: `sqlite:` and the path of its file, or `postgres://user:password@host/database` (see [postgresql.md](postgresql.md)).',
    }),
  ),
  NEW_DATABASE: flag({
    default: false,
    help: 'Starts with an empty database although `DATA_DIR` has a key; otherwise the product assumes that the database was lost and does not start. Set it for one start.',
  }),
  SECRET_KEY: secret(
    text({
      defaultText: 'generated into `DATA_DIR` on first start',
      help: 'Signs tokens and file links, and encrypts stored keys. At least 32 bytes; changing it signs all users out.',
    }),
  ),
  BLOB_STORE: blobStore({
    defaultText: 'a folder in `DATA_DIR`',
    help: 'Where captured files are stored: a bucket on an S3 server, as `s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME`. Without `endpoint` it is Amazon’s, without `region` `us-east-1`.',
  }),
  AWS_ACCESS_KEY_ID: text({ help: 'The access key of the bucket in `BLOB_STORE`.' }),
  AWS_SECRET_ACCESS_KEY: secret(text({ help: 'Its secret.' })),
  AWS_SESSION_TOKEN: secret(text({ help: 'The session token, if the key is temporary. Restart with new credentials before they expire.' })),
  REDIS_URL: secret(
    redis({
      help: 'A Redis or Valkey server shared by several processes, for live events, rate limits and hints of waiting jobs. It stores no lasting data; while it is down, each process works on its own.',
    }),
  ),
  RETENTION_DAYS: count({
    default: 0,
    max: 36_500,
    help: 'Deletes jobs, with all their data, that ended more than this many days ago; checked once an hour. 0 keeps all. A team may set fewer days for itself. `npm run admin -- retention DAYS` shows what a value would delete.',
  }),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    help: 'The lowest level of log lines that are written.',
  }),

  PUBLIC_URL: publicUrl({
    public: true,
    defaultText: 'the URL of the request; in mails `http://HOST:PORT`',
    help: 'The URL at which people reach the service, with its path if a proxy serves it below one. File links, URLs in responses and links in mails start with it; https switches HSTS on.',
  }),
  TRUST_PROXY: option<number | string[]>('number of hops, or addresses and ranges, comma separated', (value) => {
    if (/^\d{1,2}$/.test(value)) return { value: Number(value) }
    const ranges = listOf(value)
    return ranges.length > 0 && ranges.every((range) => isRange(range) || /^(loopback|linklocal|uniquelocal)$/i.test(range))
      ? { value: ranges }
      : { expected: 'a number of hops, or addresses and ranges such as 10.0.0.0/8, comma separated' }
  })({ default: 0, defaultText: 'none', help: 'The proxies in front of the product whose forwarding headers are trusted.' }),
  BACKEND_URL: openApiUrl({
    help: 'The API that the gateway passes calls to, instead of hosting its own. Any server that implements the contract works.',
  }),
  API_URL: openApiUrl({
    public: true,
    defaultText: 'the page’s own origin',
    help: 'The URL of the API for the page, if it differs from the origin of the page.',
  }),
  CORS_ORIGINS: origins({ default: [], defaultText: 'none', help: 'Other origins whose pages may call the API.' }),
  MAX_BODY_BYTES: count({
    default: 10_485_760,
    min: 1024,
    help: 'Larger request bodies get 413. Most endpoints accept less, see docs/api.md.',
  }),
  MAX_STREAMS: count({
    min: 1,
    default: 10_000,
    help: 'Live streams, and calls that wait for one page, that a user, or the API keys of the teams of one owner, may have open at once. Further ones get 429.',
  }),
  RATE_LIMIT_API: count({ min: 1, defaultText: 'no limit', help: 'Calls per minute and key. Sign-in always has limits of its own.' }),
  ACCESS_TOKEN_SECONDS: count({ default: 300, min: 10, max: 900, help: 'How long an access token is valid.' }),
  REFRESH_TOKEN_SECONDS: count({ default: 2_592_000, min: 60, help: 'How long a sign-in lasts.' }),
  FILE_LINK_SECONDS: count({ default: 25_200, min: 10, help: 'How long a link to a result file is valid.' }),
  LOGIN_ENABLED: flag({ default: true, help: 'Whether users can sign in with a password.' }),
  SIGNUP_ENABLED: flag({ default: true, help: 'Whether anyone can create an account. Invitations to a team work either way.' }),

  SMTP_URL: secret(
    smtp({
      defaultText: 'none: links go to the log',
      help: 'The mail server, `smtp://` or `smtps://` with user and password. Without it no mail is sent, the log has the links, and addresses are not verified.',
    }),
  ),
  MAIL_FROM: pattern(
    'address, or name and address',
    /^(?:[^<>"\p{Cc}]* <[^\s@<>"]+@[^\s@<>"]+>|[^\s@<>"]+@[^\s@<>"]+)$/u,
    'an address such as seine@example.org, or Seine <seine@example.org>',
  )({ defaultText: '`no-reply@` the host of `PUBLIC_URL`', help: 'The sender of mails.' }),

  GITHUB_CLIENT_ID: text({ help: 'Sign-in with GitHub: the id of your OAuth app.' }),
  GITHUB_CLIENT_SECRET: secret(text({ help: 'Its secret.' })),
  GITHUB_OAUTH_URL: openApiUrl({
    default: 'https://github.com',
    help: 'The URL of GitHub, or of your own GitHub server, for the sign-in.',
  }),
  GOOGLE_CLIENT_ID: text({ help: 'Sign-in with Google: the client id of your web application. Its secret is not needed.' }),
  GOOGLE_OAUTH_URL: apiUrl({ default: 'https://oauth2.googleapis.com', help: 'Google’s endpoint that returns the client id of a token.' }),
  GOOGLE_API_URL: apiUrl({ default: 'https://www.googleapis.com', help: 'Google’s endpoint for user info and public keys.' }),

  OIDC_ISSUER: issuer({
    help: 'Sign-in with your own OpenID provider (Keycloak, Authentik, Authelia, Entra ID …): the URL of the provider, with or without `/.well-known/openid-configuration` at its end.',
  }),
  OIDC_CLIENT_ID: text({ help: 'The id of the client that you registered there, with the redirect URI `PUBLIC_URL/`.' }),
  OIDC_CLIENT_SECRET: secret(text({ help: 'Its secret; unset for a public client.' })),
  OIDC_NAME: text({ defaultText: 'single sign-on', help: 'The name of the provider on the button of the sign-in page.' }),
  OIDC_TRUST_EMAIL: flag({
    default: false,
    help: 'Whether addresses from the provider count as verified if it does not say so (`email_verified`). Set it only if users cannot choose their address there.',
  }),

  CRAWLER_USER_AGENT: pattern(
    'text',
    /^[\x20-\x7e]{1,300}$/,
    'at most 300 printable ASCII characters',
  )({
    defaultText: '`SeineBot/VERSION (+PUBLIC_URL or the project page)`',
    help: 'The `User-Agent` of the crawler. Robots rules for `SeineBot` apply, whatever this value is.',
  }),
  CRAWL_OBEY_ROBOTS: flag({ default: true, help: 'Whether crawls obey robots.txt.' }),
  CRAWL_CONCURRENCY: count({ default: 16, min: 1, max: 512, help: 'Most concurrent fetches of one crawl.' }),
  CRAWL_HOST_CONCURRENCY: count({
    default: 4,
    min: 1,
    max: 512,
    help: "Most concurrent fetches per host, and per IP address, over all crawls. Those through a team's own proxy count for the teams of its owner only.",
  }),
  CRAWL_HOST_DELAY_MS: count({
    default: 0,
    max: 86_400_000,
    help: 'Least pause between the end of a fetch and the start of the next one of the same host, in milliseconds. A longer `Crawl-delay` in robots.txt takes precedence.',
  }),
  CRAWL_MAX_DEPTH: count({
    defaultText: 'no limit',
    help: 'Largest depth (links from the start) that a crawl may request, unless a plan sets it.',
  }),
  CRAWL_MAX_PAGE_BYTES: count({ default: 10_485_760, min: 1024, help: 'Largest size of a page, decoded.' }),
  CRAWL_MAX_JOB_SECONDS: count({
    default: 3600,
    min: 1,
    help: 'A job that runs for longer ends with the pages that it has, and a warning.',
  }),
  EGRESS_ALLOW: networks({
    default: [],
    defaultText: 'none',
    help: 'Private addresses that crawls may reach: `ADDRESS[/BITS][:PORT[-PORT]]`.',
  }),
  EGRESS_RESOLVER: endpoint({ defaultText: 'that of the system', help: 'The name server that the crawler uses instead of the system’s.' }),
  PROXY_ECHO_URL: url({
    default: 'https://httpbin.org/ip',
    help: 'A service that returns `{"origin": …}` with the caller’s IP address; the test of a proxy calls it through the proxy.',
  }),
  WEBHOOK_RETRY_SECONDS: waits({
    default: [2, 10, 60, 900, 5400, 21_600, 57_600],
    help: 'Waits after the first failed attempt of a webhook, the second and so on; after the last one the delivery has failed. An endpoint that accepts no delivery for as long as all of them together is switched off.',
  }),
  WEBHOOK_LOG_DAYS: count({
    default: 7,
    min: 2,
    max: 365,
    help: 'Days after which webhook deliveries and their log are deleted.',
  }),
  SITEMAP_MAX_URLS: count({ default: 1_000_000, min: 1, max: 10_000_000, help: 'Most URLs stored of one sitemap.' }),
  WORKER_CONCURRENCY: count({
    default: availableParallelism() * 4,
    defaultText: 'CPU count × 4',
    min: 1,
    max: 1024,
    help: 'Crawls that run at the same time.',
  }),
  PARSER_THREADS: count({
    default: Math.max(1, availableParallelism() - 1),
    defaultText: 'CPU count − 1, at least 1',
    min: 1,
    max: 256,
    help: 'Threads that convert pages to Markdown and the other formats. Up to half as many more start while long pages of one owner of teams would delay another owner.',
  }),

  CHROMIUM_PATH: text({
    defaultText: 'a Chromium or Chrome of the machine, else one that Playwright has downloaded',
    help: 'The browser that renders pages whose text comes from scripts. `none` uses no browser. If no browser is found, pages are parsed without running scripts; `npm run admin -- doctor` shows which one is found.',
  }),
  RENDER_CONCURRENCY: count({
    defaultText: 'CPU count, at most one for each 1.5 GiB of memory beside the 500 MiB of a crawl; 4 with `RENDERER_URL`',
    min: 1,
    max: 64,
    help: 'Pages that the browser of this machine renders at once; with `RENDERER_URL`, pages that this worker sends to renderers at once.',
  }),
  RENDERER_URL: renderers({
    help: 'Processes with `ROLE=renderer` that render pages for a worker instead of a local browser; comma separated. An API process needs it too, to offer rendering.',
  }),
  RENDERER_TOKEN: secret(
    text({ help: 'The secret by which workers authenticate to renderers, the same for all. At least 32 random bytes.' }),
  ),

  SEARXNG_URL: secret(
    apiUrl({ help: 'A SearXNG instance that searches the web. `json` must be among the `search.formats` of its settings.' }),
  ),
  BRAVE_API_KEY: secret(text({ help: 'Subscription token of the Brave Search API.' })),
  BRAVE_API_BASE: apiUrl({ default: 'https://api.search.brave.com', help: 'The base URL of that API; tests set another one.' }),
  GOOGLE_SEARCH_KEY: secret(text({ help: 'API key of Google’s Custom Search; needs `GOOGLE_SEARCH_CX`.' })),
  GOOGLE_SEARCH_CX: text({ help: 'Id of your Programmable Search Engine.' }),
  GOOGLE_SEARCH_API_BASE: apiUrl({ default: 'https://www.googleapis.com', help: 'The base URL of that API; tests set another one.' }),
  SEARCH_PROVIDERS: searchProviders({
    defaultText: 'every configured one, then `own`',
    help: 'The search providers in order; if one fails, the product tries the next. `own` means the pages that the team has crawled.',
  }),

  OPENAI_BASE_URL: apiUrl({
    default: 'https://api.openai.com/v1',
    help: 'The server of the language models that extract data from pages: any with OpenAI’s chat completions API. It may run in your own network.',
  }),
  OPENAI_API_KEY: secret(text({ help: 'The key for that server, if it needs one.' })),
  OPENAI_MODELS: models({
    defaultText: 'none: teams may still name a server of their own',
    help: 'The models that crawls may choose, the first being the default. `NAME=INPUT/OUTPUT` states the price of a million tokens, from which the product computes and limits costs.',
  }),
  OPENAI_CONCURRENCY: count({
    default: 4,
    min: 1,
    max: 256,
    help: 'Calls to language models at once, of all teams: for crawls in each engine, and for options chosen from a prompt in each process of the API.',
  }),
  OPENAI_TIMEOUT_SECONDS: count({ default: 60, min: 1, max: 600, help: 'Longest time for one call.' }),
  OPENAI_MAX_TOKENS: count({ default: 1_000_000, min: 1000, help: 'Most tokens, input and output, that one crawl may use.' }),
  OPENAI_PART_CHARACTERS: count({
    default: 24_000,
    min: 1000,
    max: 2_000_000,
    help: 'Longer pages are split at headings and sent part by part.',
  }),

  PRODUCT_NAME: pattern(
    'text',
    /^[^\p{Cc}]{1,60}$/u,
    'at most 60 characters',
  )({ default: 'Seine', public: true, help: 'The product name on every page.' }),
  ENTERPRISE_MODE: flag({
    default: false,
    public: true,
    help: 'Whether teams need a plan. Without it there are no plans, no limits, no consent banner and no analytics.',
  }),
  PLANS_FILE: text({ help: 'The catalogue of plans, a JSON file that is read at start; `docs/plans.md` describes its format.' }),
  STRIPE_SECRET_KEY: secret(
    text({ help: 'Payment with Stripe: the secret key, or a restricted one. Without it users can choose only the free plan.' }),
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    texts({ help: 'The secret with which Stripe signs its events. While you replace it, set both, comma separated.' }),
  ),
  STRIPE_API_BASE: apiUrl({ default: 'https://api.stripe.com', help: 'The base URL of Stripe’s API; tests set another one.' }),
  GITHUB_REPOSITORY: pattern(
    'OWNER/NAME',
    /^[\w.-]+\/[\w.-]+$/,
    'OWNER/NAME',
  )({
    public: true,
    defaultText: 'this project',
    help: 'The repository whose stars the dashboard shows; the browser requests the number.',
  }),
  GITHUB_API_URL: openApiUrl({
    default: 'https://api.github.com',
    public: true,
    help: 'The URL of GitHub’s API. The browser requests the number of stars there, and the server the user of a sign-in with GitHub.',
  }),
  GUIDE_URL: link({
    public: true,
    defaultText: '`docs/self-hosting.md` of the repository',
    help: 'The guide that the screen for a failing start links to.',
  }),
  SUPPORT_EMAIL: pattern(
    'e-mail address',
    /^[^\s@<>"]+@[^\s@<>"]+$/,
    'an e-mail address',
  )({ public: true, help: 'Shown as a way to ask for help.' }),
  ENTERPRISE_CONTACT: pattern(
    'e-mail address',
    /^[^\s@<>"]+@[^\s@<>"]+$/,
    'an e-mail address',
  )({
    public: true,
    defaultText: '`SUPPORT_EMAIL`, else `enterprise@` the host of `PUBLIC_URL`',
    help: 'The address for questions about an individual plan; shown below the plans.',
  }),
  POLICY_URL: link({ help: 'The privacy policy, linked where people agree to it.' }),
  TERMS_URL: link({ help: 'The terms of use, linked where people agree to them.' }),
  POLICY_UPDATED_AT: date({ help: 'When the privacy policy last changed.' }),
  TERMS_UPDATED_AT: date({ help: 'When the terms of use last changed.' }),
  METRICS_TOKEN: secret(
    pattern(
      'text',
      /^\S{16,}$/,
      'a text of at least 16 characters without blanks',
    )({
      defaultText: 'none, and no metrics',
      help: 'Enables `/metrics`, in the Prometheus format, for clients that send this token as a bearer token.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    defaultText: 'none, and no traces',
    help: 'The collector that receives traces of calls, fetches and commits, by OTLP over HTTP; `/v1/traces` is added. The other `OTEL_` variables work as OpenTelemetry specifies.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url({ help: 'The same as a complete URL, without `/v1/traces` being added.' }),
  INSTALL_REPORT_URL: url({
    help: 'If the administrator agreed to it at the installation, the product reports to this URL, once, on which kind of machine it runs. Without it, nothing is sent.',
  }),
  GOOGLE_ANALYTICS_ID: pattern(
    'analytics id',
    /^[A-Z]{1,3}-[A-Z0-9-]{4,20}$/,
    'an id such as G-ABC123DEF4',
  )({
    help: 'Published in the settings; used in enterprise mode only, and only after consent.',
  }),
} as const satisfies Record<string, Option<never> | Option>

export type OptionName = keyof typeof OPTIONS

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

/** ADDRESS[/BITS][:PORT[-PORT]]; an IPv6 address with a port is written in brackets, which may also contain the bits. */
function isNetwork(entry: string): boolean {
  if (isAmbiguous(entry)) return false
  if (isRange(entry)) return true
  const parts = entry.match(/^(?:\[([^[\]]+)\](\/\d+)?|([\d.]+(?:\/\d+)?)|([^[\]]+\/\d+))(?::(\d{1,5})(?:-(\d{1,5}))?)?$/)
  if (!parts) return false
  const [, bracketed, bits = '', v4, v6, first, last] = parts
  const range = bracketed === undefined ? (v4 ?? v6 ?? '') : `${bracketed}${bits}`
  return isRange(range) && Number(first ?? 0) <= Number(last ?? first ?? 0) && Number(last ?? first ?? 0) <= 65535
}

/** `::1:80` is an address, and also an address with a port but without brackets: it is ambiguous. */
function isAmbiguous(entry: string): boolean {
  return isIP(/^([^/]+):\d{1,5}$/.exec(entry)?.[1] ?? '') === 6
}

/** ADDRESS[/BITS], without brackets. An IPv4 address written as an IPv6 address (`::ffff:…`) needs all the bits of its prefix. */
function isRange(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-f:.]+?)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const most = isIP(address) === 4 ? 32 : 128
  const least = /^::ffff:/i.test(address) ? 96 : 0
  return isIP(address) > 0 && Number(bits ?? most) <= most && Number(bits ?? most) >= least
}

/** ADDRESS:PORT, an IPv6 address in brackets. */
function isEndpoint(text: string): boolean {
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? []
  return isIP(v6 ?? v4 ?? '') === (v6 === undefined ? 4 : 6) && Number(port) >= 1 && Number(port) <= 65535
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : ''
}
