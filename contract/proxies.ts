/** Proxy servers of a team, and the list of those that its runs may go through. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { count, flag, oneOf, shape, text } from './fields.ts'

const PROXIES = '/api/v1/core/proxy-servers'
const TAG = 'Proxy Servers'

export const PROXY_TYPES = ['http', 'socks4', 'socks5'] as const
export type ProxyType = (typeof PROXY_TYPES)[number]

/** `team`: the team's own · `general`: of the installation, for all teams · `premium`: of the installation, for paid plans. */
export const PROXY_CATEGORIES = ['team', 'general', 'premium'] as const
export type ProxyCategory = (typeof PROXY_CATEGORIES)[number]

/** Reserved words: paths use them in the place of a slug. */
const RESERVED_SLUGS: readonly string[] = ['list-all', 'test-proxy']

export const proxySlug = () =>
  text({ max: 255 }).check(
    z.refine((slug) => slug === '' || /^[-\w]+$/.test(slug), {
      error: 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.',
    }),
    z.refine((slug) => !RESERVED_SLUGS.includes(slug), { error: 'This slug is reserved.' }),
  )

/** A name or an address, alone: no scheme, port, path or white space. IPv6 with or without its brackets. */
export const proxyHost = () =>
  text({ max: 255 }).check(
    z.refine((host) => host === '' || /^(?:[\p{L}\p{N}._-]+|\[[0-9a-f:.]+\]|[0-9a-f]*:[0-9a-f:.]+)$/iu.test(host), {
      error: 'Enter a host name or an address.',
    }),
  )

const port = () => count({ min: 1, max: 65_535 })
const credential = (max: number) => z.nullable(text({ max, blank: true, trim: false }))

const fields = {
  name: text({ max: 255 }),
  slug: proxySlug(),
  is_default: z._default(flag(), false),
  proxy_type: z._default(oneOf(PROXY_TYPES), 'http'),
  host: proxyHost(),
  port: port(),
  username: z._default(credential(255), null),
  /** Absent keeps what is stored; null and "" remove it. */
  password: z.optional(credential(128)),
}

const proxyBody = shape(fields)
const proxyChanges = shape({
  name: z.optional(fields.name),
  slug: z.optional(fields.slug),
  is_default: z.optional(flag()),
  proxy_type: z.optional(oneOf(PROXY_TYPES)),
  host: z.optional(fields.host),
  port: z.optional(fields.port),
  username: z.optional(credential(255)),
  password: fields.password,
})
export type ProxyBody = z.output<typeof proxyBody>
export type ProxyChanges = z.output<typeof proxyChanges>

export const proxyServer = z.object({
  name: z.string(),
  slug: z.string(),
  is_default: z.boolean(),
  proxy_type: z.enum(PROXY_TYPES),
  host: z.string(),
  port: z.int(),
  username: z.nullable(z.string()),
  has_password: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ProxyServer = z.output<typeof proxyServer>

export const listProxies = endpoint({
  method: 'GET',
  path: `${PROXIES}/`,
  access: 'user+team',
  tag: TAG,
  summary: "The team's proxy servers, oldest first",
  answer: paged(proxyServer),
})
export const createProxy = endpoint({
  method: 'POST',
  path: `${PROXIES}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Add a proxy server',
  body: proxyBody,
  answer: proxyServer,
  status: 201,
})
export const getProxy = endpoint({
  method: 'GET',
  path: `${PROXIES}/{slug}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'One proxy server of the team',
  answer: proxyServer,
})
export const replaceProxy = endpoint({
  method: 'PUT',
  path: `${PROXIES}/{slug}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Replace a proxy server; an absent password stays, unless the host changes',
  body: proxyBody,
  answer: proxyServer,
})
export const changeProxy = endpoint({
  method: 'PATCH',
  path: `${PROXIES}/{slug}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Change fields of a proxy server',
  description: 'A stored password belongs to its host: a change of the host needs the password again, or null.',
  body: proxyChanges,
  answer: proxyServer,
})
export const deleteProxy = endpoint({
  method: 'DELETE',
  path: `${PROXIES}/{slug}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Remove a proxy server',
  status: 204,
})

export const proxyChoice = z.object({ name: z.string(), slug: z.string(), category: z.enum(PROXY_CATEGORIES) })
export type ProxyChoice = z.output<typeof proxyChoice>

export const listAllProxies = endpoint({
  method: 'GET',
  path: `${PROXIES}/list-all/`,
  access: 'team',
  tag: TAG,
  summary: "Every proxy that a crawl or sitemap may name: the team's and the installation's",
  answer: z.array(proxyChoice),
})

export const testProxy = endpoint({
  method: 'POST',
  path: `${PROXIES}/test-proxy/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Test a proxy: returns the IP address that servers see',
  description:
    'With a slug, absent fields are taken from that proxy of the team; a null password means no password. The stored password is not sent to another host.',
  body: shape({
    slug: z.optional(z.nullable(text({ max: 255, blank: true }))),
    host: z.optional(z.nullable(proxyHost())),
    port: z.optional(z.nullable(port())),
    proxy_type: z.optional(z.nullable(oneOf(PROXY_TYPES))),
    username: z.optional(credential(255)),
    password: z.optional(credential(128)),
  }),
  answer: z.looseObject({ origin: z.string() }),
})
