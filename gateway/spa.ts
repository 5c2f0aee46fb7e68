import helmet from '@fastify/helmet'
import fastifyCookie from '@fastify/cookie'
import fastifyStatic from '@fastify/static'
import { DEFAULT_LANGUAGE, LANGUAGE_COOKIE, isLanguage, preferredLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import { getSettings } from '#contract/settings.ts'
import type { RuntimeConfig } from '#contract/settings.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answerFailure } from './answer.ts'

/** The name of an asset changes with its contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Serves the built page: its files, and index.html for every URL that a person may have typed.
 *
 * @param apiOrigins     further origins that the page may call
 * @param allowsAnalytics  whether the page may load the analytics script for users who consent
 * @param isHttps        whether people reach the service by https; switches HSTS on
 * @param runtimeConfig  written into the page, so public
 */
export function pageRoutes(needs: {
  allowsAnalytics: boolean
  apiOrigins: string[]
  isHttps: boolean
  publicDir: string
  runtimeConfig: RuntimeConfig
}): FastifyPluginAsync {
  const { allowsAnalytics, apiOrigins, isHttps, publicDir, runtimeConfig } = needs
  return async (app) => {
    await app.register(helmet, headersOf({ allowsAnalytics, apiOrigins, isHttps }))
    app.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'),
    )
    await app.register(fastifyCookie)
    await app.register(fastifyStatic, {
      root: join(publicDir, 'assets'),
      prefix: '/assets/',
      index: false,
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply) => void reply.header('cache-control', IMMUTABLE),
    })
    app.setNotFoundHandler(async (request, reply) => {
      if (!asksForPage(request)) return answerFailure(reply, 404)
      return sendPage(request, reply)
    })
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    const language = languageOf(request)
    const read = (name: string) => readFile(join(publicDir, name), 'utf8')
    let template
    let places
    try {
      template = await read(language === DEFAULT_LANGUAGE ? 'index.html' : `index.${language}.html`)
      places = JSON.parse(await read(`places.${language}.json`)) as Place[]
    } catch (error) {
      request.log.error({ err: error }, 'the page is not built')
      return reply.code(503).type('text/plain; charset=utf-8').send('The page is not built yet: npm run build')
    }
    const nonce = randomBytes(16).toString('base64')
    allowStyles(reply, nonce)
    return reply
      .header('cache-control', 'no-store')
      .header('content-language', language)
      .type('text/html; charset=utf-8')
      .send(filledPage({ nonce, runtimeConfig, template, theme: themeOf(request.cookies['theme']), place: placeAt(request.url, places) }))
  }
}

/** A screen in the output of `scripts/build.ts`: the pattern of its path, its additional files, and the HTML of its first paint. */
type Place = { pattern: string; chunks: string[]; html: string }

function placeAt(url: string, places: Place[]): Place | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return places.find(({ pattern }) => new RegExp(pattern).test(path))
}

/**
 * Fills index.html with request-time values: the base path, the configuration, the product's name, the theme of a returning visitor, and the
 * nonce that allows style elements created by scripts (toasts, scroll locks). It preloads the settings, without which nothing is
 * shown, and the chunks of the screen in parallel with the scripts: on a slow network the page waits for one round trip instead of three.
 * The scripts come after the stylesheet, which is all that the first paint waits for.
 */
export function filledPage(page: {
  nonce: string
  runtimeConfig: RuntimeConfig
  template: string
  theme: string | undefined
  place?: Place | undefined
}): string {
  const { nonce, runtimeConfig, template, theme, place } = page
  const settings = escapeAttribute((runtimeConfig.apiUrl || runtimeConfig.basePath) + getSettings.path)
  const preloads = [
    `<link rel="preload" as="fetch" href="${settings}" crossorigin="anonymous" />`,
    ...(place?.chunks ?? []).map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}" />`),
  ]
  // Escaped, so that no value can close the element or open a comment.
  const json = JSON.stringify(runtimeConfig).replace(/</g, '\\u003c')
  const element = `<script type="application/json" id="runtime-config" nonce="${nonce}">${json}</script>`
  const name = escapeText(runtimeConfig.productName)
  return template
    .replace(/(?<=<div id="first-paint"[^>]*>)/, () => (place?.html ?? '').replaceAll('%product%', () => name))
    .replace('<!--preloads-->', () => preloads.join('\n    '))
    .replace(/(?<= (?:href|src)=")(?=\/assets\/)/g, () => runtimeConfig.basePath)
    .replace(/<html\b/, () => (theme ? `<html data-theme="${theme}"` : '<html'))
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/<script type="application\/json" id="runtime-config"><\/script>/, () => element)
}

/**
 * Paths that programs call: the health checks, and paths that monitors and orchestrators try. A page with status 200 would look healthy to them.
 */
const OPERATIONAL =
  /^\/(?:api|v0|v1|v2|exchange|mcp|health|assets|metrics|healthz?|health-?check|livez?|liveness|readyz?|readiness|startupz?|statusz|ping|actuator|debug|prometheus|server-status|\.well-known)(?:[/;]|$)/i

/** What browsers and plain tools accept; HTTP clients of programs accept anything too, but name JSON first. */
const takesHtml = (accept = '*/*') => /text\/html/.test(accept) || (/\*\/\*/.test(accept) && !/json/.test(accept))

/** Whether to respond with the page: a GET that accepts HTML, for a path that looks like neither a file nor an API call. */
function asksForPage({ method, headers, url }: FastifyRequest): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return (
    (method === 'GET' || method === 'HEAD') && takesHtml(headers.accept) && !OPERATIONAL.test(path) && !/\.[a-z][a-z0-9]{0,7}$/i.test(path)
  )
}

/** The language that the user chose in this browser, else the one that the browser asks for. */
function languageOf({ cookies, headers }: FastifyRequest): Language {
  const chosen = cookies[LANGUAGE_COOKIE]
  return isLanguage(chosen) ? chosen : (preferredLanguage(headers['accept-language']) ?? DEFAULT_LANGUAGE)
}

function themeOf(cookie: string | undefined): string | undefined {
  return cookie === 'light' || cookie === 'dark' ? cookie : undefined
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}

const escapeAttribute = (text: string) => escapeText(text).replace(/"/g, '&quot;')

/** The origins from which the analytics script is loaded, and to which it sends its data. */
const ANALYTICS = {
  script: ['https://www.googletagmanager.com'],
  send: ['https://www.googletagmanager.com', 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
}

function headersOf({ allowsAnalytics, apiOrigins, isHttps }: { allowsAnalytics: boolean; apiOrigins: string[]; isHttps: boolean }) {
  const { script, send } = allowsAnalytics ? ANALYTICS : { script: [], send: [] }
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'base-uri': ["'none'"],
        'connect-src': ["'self'", ...new Set(apiOrigins), ...send],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'img-src': ["'self'", 'data:', ...send],
        'object-src': ["'none'"],
        'script-src': ["'self'", ...script],
        'style-src': ["'self'"],
        // Only these two policies turn text into markup; see web/state/trusted-types.ts and the sanitiser of stored pages.
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['default', 'dompurify'],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' as const },
    xXssProtection: false,
  }
}

/** Style attributes set by scripts need no permission; style elements need a nonce, which is valid for this one page only. */
function allowStyles(reply: FastifyReply, nonce: string) {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`))
}
