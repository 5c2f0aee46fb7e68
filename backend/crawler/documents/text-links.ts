import type { PageLink } from '#backend/crawler/page/page.ts'
import { LinkResolver } from '#backend/crawler/url/resolve-url.ts'

const MAX_LINKS = 10_000
const MAX_URL_LENGTH = 2083
/**
 * A URL in plain text; closing brackets and the sentence's punctuation are cut off later. East Asian punctuation and quotation marks end it,
 * since no space need follow.
 */
const BARE =
  /\bhttps?:\/\/[^\s<>"'`|\\^{}«»‹›“”„\u3001\u3002\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]{1,2083}/gi
/** The target of a Markdown link, and of a reference: `](target "title")`, `[name]: target`. */
const MARKDOWN =
  /\]\(\s*<?([^\s()<>]{1,2083}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?)>?|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*<?([^\s<>]{1,2083})/gm

/**
 * The URLs in a text and, in Markdown, the targets of its links. Each once, in the order of the text.
 *
 * @param url  base for relative links in Markdown
 */
export function textLinks(text: string, isMarkdown: boolean, url: string): PageLink[] {
  const found = new Set<string>()
  const resolver = new LinkResolver(url, null)
  const take = (href: string) => {
    const resolved = href.length > MAX_URL_LENGTH ? null : resolver.resolve(href)
    if (resolved !== null && found.size < MAX_LINKS) found.add(resolved)
  }
  if (isMarkdown)
    for (const match of text.matchAll(MARKDOWN)) {
      const href = match[1] ?? match[2] ?? ''
      if (!href.startsWith('#')) take(href)
    }
  for (const [bare] of text.matchAll(BARE)) {
    if (found.size >= MAX_LINKS) break
    take(withoutSentence(bare))
  }
  return [...found].map((link) => ({ url: link, text: '', nofollow: false }))
}

/** `https://a.example/x).` becomes `https://a.example/x`; brackets that the URL itself opens stay. */
function withoutSentence(bare: string): string {
  let end = bare.length
  for (; end > 0; end--) {
    const last = bare[end - 1]!
    if ('.,;:!?*_~…'.includes(last)) continue
    const opening = last === ')' ? '(' : last === ']' ? '[' : null
    if (opening === null) break
    const kept = bare.slice(0, end)
    if (kept.split(opening).length >= kept.split(last).length) break
  }
  return bare.slice(0, end)
}
