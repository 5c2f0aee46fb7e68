/** The form of a proxy server: validation and request. Pure. */
import type { ProxyServer, ProxyType } from '#contract/proxies.ts'
import * as t from '#texts/proxies.ts'

export const TYPE_LABELS: Record<ProxyType, string> = { http: 'HTTP', socks4: 'SOCKS4', socks5: 'SOCKS5' }

/** What to do with the stored password. */
export type PasswordAct = 'keep' | 'remove' | 'set'

export type ProxyForm = {
  name: string
  slug: string
  proxy_type: ProxyType
  host: string
  /** Null while the box is empty, `NaN` for an invalid number. */
  port: number | null
  username: string
  passwordAct: PasswordAct
  password: string
  is_default: boolean
}

export type ProxyErrors = { [Name in keyof ProxyForm]?: string }

const EMPTY: ProxyForm = {
  name: '',
  slug: '',
  proxy_type: 'http',
  host: '',
  port: null,
  username: '',
  passwordAct: 'set',
  password: '',
  is_default: false,
}

/** The initial values of the form: empty, or those of a stored proxy. */
export function formOf(proxy: ProxyServer | null): ProxyForm {
  if (proxy === null) return EMPTY
  const { name, slug, proxy_type, host, port, username, is_default } = proxy
  return { name, slug, proxy_type, host, port, username: username ?? '', passwordAct: 'keep', password: '', is_default }
}

/** A slug from a name: lower case, words joined by hyphens, without accents. */
export const suggestedSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 255)

/** Errors of host and port. A test needs only these to be valid. */
export function addressErrors({ host, port }: Pick<ProxyForm, 'host' | 'port'>): ProxyErrors {
  return {
    ...(host.trim() === '' && { host: t.hostIsRequired }),
    ...(port === null || Number.isNaN(port) || port < 1
      ? { port: t.portMustBeGreaterThan0 }
      : port > 65_535 && { port: t.portMustBeAtMost65535 }),
  }
}

export function proxyErrors(form: ProxyForm, isNew: boolean): ProxyErrors {
  const slug = form.slug.trim()
  return {
    ...(form.name.trim() === '' && { name: t.nameIsRequired }),
    ...(slug === '' ? { slug: t.slugIsRequired } : !/^[-\w]+$/.test(slug) && { slug: t.lettersNumbersUnderscoresAndHyphensOnly }),
    ...addressErrors(form),
    ...(!isNew && form.passwordAct === 'set' && form.password === '' && { password: t.passwordIsRequiredOrKeepThe }),
  }
}

/** The address fields of the request. */
const addressOf = ({ proxy_type, host, port, username }: ProxyForm) => ({
  proxy_type,
  host: host.trim(),
  port: port ?? 0,
  username: username.trim() || null,
})

/** Undefined keeps the stored value. */
const passwordOf = ({ passwordAct, password }: ProxyForm): { password?: string | null } =>
  passwordAct === 'keep' ? {} : { password: passwordAct === 'remove' ? null : password || null }

export const newProxy = (form: ProxyForm) => ({
  name: form.name.trim(),
  slug: form.slug.trim(),
  is_default: form.is_default,
  ...addressOf(form),
  ...passwordOf(form),
})

/** The changes to the stored proxy; null without any. */
export function changesOf(form: ProxyForm, stored: ProxyServer): Partial<ReturnType<typeof newProxy>> | null {
  const { password, ...fields } = newProxy(form)
  const changed = Object.entries(fields).filter(([name, value]) => stored[name as keyof typeof fields] !== value)
  const all = { ...Object.fromEntries(changed), ...(password !== undefined && { password }) }
  return Object.keys(all).length > 0 ? all : null
}

/** The request that tests the form's values. For an unchanged password, the server uses the stored one. */
export const testOf = (form: ProxyForm, stored: ProxyServer | null) => ({
  ...(stored && { slug: stored.slug }),
  ...addressOf(form),
  ...passwordOf(form),
})
