import type { RuntimeConfig } from '#contract/settings.ts'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { memoryBytes, pagesIn } from './memory.ts'
import { OPTIONS, type Option, type OptionName } from './options.ts'

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>
type Values = { [N in OptionName as CamelCase<N>]: (typeof OPTIONS)[N] extends Option<infer T> ? Unchanging<T> : never }
type Unchanging<T> = T extends (infer Entry)[] ? readonly Entry[] : T
/** Values that are derived from other options if they are not set. */
type Derived = {
  /** The server that API calls are forwarded to; undefined in roles that have the API themselves. */
  backendUrl: string | undefined
  /** The path of `PUBLIC_URL` without a trailing slash: '' at the root of a host, else such as `/crawl`. */
  basePath: string
  /** The bucket of captured files, with its key; undefined when they are in the data folder. */
  blobPlace:
    | ({ kind: 's3'; accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined } & NonNullable<Values['blobStore']>)
    | undefined
  /** Where to search for a browser: `PATH` and `PLAYWRIGHT_BROWSERS_PATH` of the environment. */
  browserPlaces: { searchPath?: string | undefined; browsersPath?: string | undefined }
  crawlerUserAgent: string
  databaseUrl: string
  enterpriseContact: string
  githubRepository: string
  guideUrl: string
  /** Whether traces are exported. */
  isTraced: boolean
  mailFrom: string
  renderConcurrency: number
}

/** Every option by its name in camelCase (`CRAWL_HOST_CONCURRENCY` → `crawlHostConcurrency`), validated; paths are absolute. */
export type Config = Readonly<Omit<Values, keyof Derived> & Derived & { version: string }>

/** The environment is not a valid configuration. The message lists all errors, one per line. */
export class ConfigFault extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigFault'
  }
}

/** A renderer lets those wait for which it has no room. */
const PAGES_SENT = 4

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
  repository: { url: string }
}
const projectPage = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/**
 * The process environment, completed by the file `.env` of the working directory; the environment takes precedence.
 *
 * @throws ConfigFault when there is such a file, but it cannot be read
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  for (const [name, value] of Object.entries(fileEnvironment())) process.env[name] ??= value
  return process.env
}

function fileEnvironment(): NodeJS.Dict<string> {
  let bytes
  try {
    bytes = readFileSync('.env')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new ConfigFault([`${resolve('.env')} cannot be read (${code}): it must be a file that the user who runs this may read`])
  }
  try {
    // Editors of Windows write a byte order mark, which the decoder drops.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return parseEnv(text)
  } catch {
    // Reported below.
  }
  throw new ConfigFault([`${resolve('.env')} is in another encoding, but must be UTF-8: save it as UTF-8`])
}

/**
 * Reads and validates all options at once.
 *
 * @param environment  texts by name; an empty text counts as not set
 * @returns            a frozen Config
 * @throws ConfigFault with every error: its variable, its value (secrets and URLs only by their length) and what was expected
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  const faulty: string[] = []
  for (const [name, row] of Object.entries<Option>(OPTIONS)) {
    const before = faults.length
    values[camelCase(name)] = valueOf(name, row, environment, faults)
    if (faults.length > before) faulty.push(name)
  }
  const read = values as Values
  // An option with a wrong value is not missing, but its value here is undefined.
  faults.push(...faultsBetween(read).filter((fault) => !faulty.some((name) => new RegExp(`\\b${name}\\b`).test(fault))))
  if (faults.length > 0) throw new ConfigFault(faults)

  const dataDir = resolve(read.dataDir)
  const { awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey, awsSessionToken: sessionToken, blobStore } = read
  const host = read.publicUrl ? new URL(read.publicUrl).hostname : 'localhost'
  const githubRepository = read.githubRepository ?? new URL(projectPage).pathname.slice(1)
  return Object.freeze({
    ...read,
    backendUrl: read.role === 'all' || read.role === 'gateway' ? read.backendUrl : undefined,
    basePath: read.publicUrl ? new URL(read.publicUrl).pathname.replace(/\/+$/, '') : '',
    blobPlace:
      blobStore === undefined || accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { kind: 's3' as const, ...blobStore, accessKeyId, secretAccessKey, sessionToken },
    browserPlaces: { searchPath: environment['PATH'], browsersPath: environment['PLAYWRIGHT_BROWSERS_PATH'] },
    dataDir,
    isTraced: (read.otelExporterOtlpEndpoint ?? read.otelExporterOtlpTracesEndpoint) !== undefined,
    version: manifest.version,
    githubRepository,
    crawlerUserAgent: read.crawlerUserAgent ?? `SeineBot/${manifest.version} (+${read.publicUrl ?? projectPage})`,
    databaseUrl: read.databaseUrl ?? `sqlite:${join(dataDir, 'seine.db')}`,
    renderConcurrency: read.renderConcurrency ?? pagesAtOnce(read),
    mailFrom: read.mailFrom ?? `no-reply@${host}`,
    enterpriseContact: read.enterpriseContact ?? read.supportEmail ?? `enterprise@${host}`,
    guideUrl: read.guideUrl ?? `https://github.com/${githubRepository}/blob/main/docs/self-hosting.md`,
  })
}

/** Pages that are rendered at once by default: what this machine can, or with remote renderers more than one of them alone takes. */
function pagesAtOnce({ rendererUrl, role }: Pick<Config, 'rendererUrl' | 'role'>): number {
  if (rendererUrl !== undefined) return PAGES_SENT
  return Math.min(availableParallelism(), pagesIn(memoryBytes(), role !== 'renderer'))
}

/** The part of the configuration that the page contains, for everyone to read. */
export function runtimeConfigOf(config: Config): RuntimeConfig {
  return {
    apiUrl: config.apiUrl ?? '',
    basePath: config.basePath,
    productName: config.productName,
    enterpriseMode: config.enterpriseMode,
    repository: config.githubRepository,
    githubApiUrl: config.githubApiUrl,
    githubOauthUrl: config.githubOauthUrl,
    guideUrl: config.guideUrl,
    supportEmail: config.supportEmail ?? '',
    enterpriseContact: config.enterpriseContact,
  }
}

/** Why a key is too easy to guess; undefined when it is not. */
export function weaknessOf(secretKey: string): string | undefined {
  if (Buffer.byteLength(secretKey) < 32) return 'at least 32 bytes'
  // Keys from examples, and keys of one repeated character.
  const isKnown = /change.?(me|this)|secret.?key|your.?(own|secret)|example|password|insecure|0123456789|abcdefgh/i.test(secretKey)
  return isKnown || new Set(secretKey).size < 10 ? 'a random text, such as openssl rand -base64 48 prints' : undefined
}

function valueOf(name: string, row: Option, environment: Readonly<Record<string, string | undefined>>, faults: string[]): unknown {
  let text = environment[name]?.trim()
  const file = row.isSecret ? environment[`${name}_FILE`] : undefined
  if (file) {
    if (text) faults.push(`${name} and ${name}_FILE are both set: set only one of them`)
    try {
      text = readFileSync(file, 'utf8').trim()
    } catch (error) {
      faults.push(`${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
    // The default would apply without a word, such as another database.
    if (text === '') {
      faults.push(`${name}_FILE names a file that is empty`)
      return undefined
    }
  }
  if (!text) return row.fallback
  const result = row.read(text)
  if ('value' in result) return result.value
  faults.push(`${name} is ${shapeOf(text, row)}, but must be ${result.expected}`)
  return undefined
}

/** Long enough to recognise a typing error; a URL may contain a password, so it is described like a secret. */
function shapeOf(text: string, row: Option): string {
  return row.isSecret || text.includes('://') ? `a text of ${text.length} characters` : JSON.stringify(text.slice(0, 60))
}

/** Rules about two options, and rules that the type of an option cannot express. */
function faultsBetween(values: Values): string[] {
  const {
    accessTokenSeconds,
    backendUrl,
    githubClientId,
    githubClientSecret,
    oidcClientId,
    oidcClientSecret,
    oidcIssuer,
    refreshTokenSeconds,
    role,
    secretKey,
  } = values
  const { stripeSecretKey, stripeWebhookSecret } = values
  const faults = [...faultsOfSearch(values), ...faultsOfModels(values), ...faultsOfRoles(values)]
  if (role === 'gateway' && !backendUrl) faults.push('ROLE is "gateway", which needs BACKEND_URL: the API to forward calls to')
  if ((githubClientId === undefined) !== (githubClientSecret === undefined))
    faults.push('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together, but one of them is not set')
  if ((oidcClientId === undefined) !== (oidcIssuer === undefined))
    faults.push('OIDC_ISSUER and OIDC_CLIENT_ID belong together, but one of them is not set')
  else if (oidcClientSecret !== undefined && oidcIssuer === undefined)
    faults.push('OIDC_CLIENT_SECRET is set, which needs OIDC_ISSUER and OIDC_CLIENT_ID')
  if (githubClientId !== undefined && isOwn('GITHUB_OAUTH_URL', values.githubOauthUrl) && !isOwn('GITHUB_API_URL', values.githubApiUrl))
    faults.push('GITHUB_OAUTH_URL names your own server, which needs GITHUB_API_URL: its API, such as https://github.example.org/api/v3')
  if (values.webhookRetrySeconds.reduce((sum, wait) => sum + wait, 0) >= values.webhookLogDays * 86_400)
    faults.push('WEBHOOK_RETRY_SECONDS add up to WEBHOOK_LOG_DAYS or more, after which deliveries are deleted')
  if (stripeSecretKey !== undefined && stripeWebhookSecret === undefined)
    faults.push('STRIPE_SECRET_KEY is set, which needs STRIPE_WEBHOOK_SECRET: without it no paid plan becomes active')
  if (values.blobStore !== undefined && (values.awsAccessKeyId === undefined || values.awsSecretAccessKey === undefined))
    faults.push('BLOB_STORE is set, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: the key of the bucket')
  const weakness = secretKey === undefined ? undefined : weaknessOf(secretKey)
  if (secretKey !== undefined && weakness)
    faults.push(`SECRET_KEY is a text of ${secretKey.length} characters that can be guessed, but must be ${weakness}`)
  if (refreshTokenSeconds < accessTokenSeconds)
    faults.push('REFRESH_TOKEN_SECONDS is less than ACCESS_TOKEN_SECONDS, but must be at least as much')
  return faults
}

/** Whether an option has another value than its default. */
const isOwn = (name: 'GITHUB_OAUTH_URL' | 'GITHUB_API_URL', value: string): boolean => value !== OPTIONS[name].fallback

/** Errors of the options that a role needs to share state with other processes. */
function faultsOfRoles({ databaseUrl, redisUrl, rendererToken, rendererUrl, role, secretKey }: Values): string[] {
  const faults = []
  if (role === 'api' || role === 'worker') {
    if (!/^postgres(ql)?:/.test(databaseUrl ?? ''))
      faults.push(`ROLE is "${role}", which needs DATABASE_URL to name a PostgreSQL: a file of SQLite belongs to one process`)
    if (redisUrl === undefined) faults.push(`ROLE is "${role}", which needs REDIS_URL: events of crawls go through it`)
    if (secretKey === undefined) faults.push(`ROLE is "${role}", which needs SECRET_KEY, the same for every process of the installation`)
  }
  if (role === 'renderer' && rendererToken === undefined)
    faults.push('ROLE is "renderer", which needs RENDERER_TOKEN: without it anyone could render pages here')
  if (rendererUrl !== undefined && rendererToken === undefined)
    faults.push('RENDERER_URL is set, which needs RENDERER_TOKEN: the renderers ask for it')
  const weakness = rendererToken === undefined ? undefined : weaknessOf(rendererToken)
  if (rendererToken !== undefined && weakness)
    faults.push(`RENDERER_TOKEN is a text of ${rendererToken.length} characters that can be guessed, but must be ${weakness}`)
  return faults
}

/** A provider can only be used with all its options. */
function faultsOfSearch({ braveApiKey, googleSearchCx, googleSearchKey, searchProviders, searxngUrl }: Values): string[] {
  const faults = []
  if (googleSearchKey && !googleSearchCx) faults.push('GOOGLE_SEARCH_KEY is set, which needs GOOGLE_SEARCH_CX: the id of the search engine')
  if (googleSearchCx && !googleSearchKey) faults.push('GOOGLE_SEARCH_CX is set, which needs GOOGLE_SEARCH_KEY: the key of the search API')
  const missing = [
    ['searxng', searxngUrl, 'SEARXNG_URL'],
    ['brave', braveApiKey, 'BRAVE_API_KEY'],
    ['google', googleSearchKey, 'GOOGLE_SEARCH_KEY'],
  ] as const
  for (const [name, value, variable] of missing)
    if (searchProviders?.includes(name) && !value) faults.push(`SEARCH_PROVIDERS names "${name}", which needs ${variable}`)
  return faults
}

/** Errors of the options for models: a key needs models, and models need a key or another server. */
function faultsOfModels({ openaiApiKey, openaiBaseUrl, openaiModels }: Values): string[] {
  if (openaiModels === undefined)
    return openaiApiKey === undefined ? [] : ['OPENAI_API_KEY is set, which needs OPENAI_MODELS: the models that crawls may choose']
  const isOpenai = openaiBaseUrl === OPTIONS.OPENAI_BASE_URL.fallback
  return isOpenai && openaiApiKey === undefined
    ? ['OPENAI_MODELS is set, which needs OPENAI_API_KEY, or OPENAI_BASE_URL: a server that needs no key']
    : []
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
