import { decodeAs, markupEncoding } from '#backend/crawler/html/charset.ts'
import { kindOf, readContentType } from '../documents/kind.ts'
import type { PageJob } from '#backend/crawler/page/page-rules.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import type { PluginPage } from './plugin.ts'
import { growWholeTree, type WholeElement } from './whole-tree.ts'

/** A parsed page as plugins see it. Its text and tree are created on demand, once for all plugins. */
export function pluginPage(job: PageJob, bytes: Uint8Array, reading: PageReading): PluginPage {
  let text: string | null | undefined
  let isXml = false
  let encoding = 'UTF-8'
  let root: WholeElement | null | undefined
  let resolver: LinkResolver | undefined
  const { language, markdown, mediaType, metadata, title } = reading
  return { url: job.url, status: job.status, mediaType, title, language, metadata, markdown, html, tree, resolve }

  function html(): string | null {
    if (text === undefined) {
      const stated = readContentType(job.contentType)
      const kind = kindOf(stated.mediaType, bytes, stated.charset)
      isXml = kind === 'xhtml'
      if (kind === 'html' || isXml) encoding = markupEncoding(bytes, stated.charset)
      text = kind === 'html' || isXml ? decodeAs(encoding, bytes) : null
    }
    return text
  }

  function tree(): WholeElement | null {
    if (root === undefined) {
      const source = html()
      root = source === null ? null : growWholeTree(source, isXml)
    }
    return root
  }

  function resolve(href: string): string | null {
    if (resolver === undefined) {
      const base = baseOf(tree())
      resolver = new LinkResolver(job.url, base, encoding)
    }
    return resolver.resolve(href)
  }
}

function baseOf(root: WholeElement | null): string | null {
  if (root !== null)
    for (const element of root.elements()) {
      const href = element.name === 'base' ? element.attribute('href') : undefined
      if (href !== undefined) return href
    }
  return null
}
