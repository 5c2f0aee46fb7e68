import { dropEnding, dropOpening } from './article-edges.ts'
import { roleOf } from './furniture/furniture.ts'
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { endOf, mayHoldHeading, namesHeading, holds, startOf } from '#backend/crawler/html/tree-text.ts'

/**
 * Drops everything from an article that is not its running text.
 *
 * @param main       the element with the prose
 * @param title      of the page in plain words
 * @param withFrame  keeps its headline and captions
 * @param parts      stay as they are
 * @returns  the headline, if it is kept
 */
export function tidyArticle(
  root: ElementNode,
  main: ElementNode,
  { title, withFrame, parts }: { title: string; withFrame: boolean; parts: ReadonlySet<ElementNode> },
): ElementNode | null {
  dropInterruptions(root, { prose: main.prose, withFrame, parts })
  const headline = dropOpening(root, title, withFrame, parts)
  dropEnding(root, parts)
  return headline
}

/** Drops interruptions between the paragraphs of an article: pointers to other articles, calls to subscribe or share. */
function dropInterruptions(element: ElementNode, article: { prose: number; withFrame: boolean; parts: ReadonlySet<ElementNode> }): void {
  const { prose, withFrame, parts } = article
  let follows = false
  let teasers: string | null = null
  // Computed once for all children: it depends on their parent.
  let ownWords: boolean | null = null
  const { children } = element
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!
    if (child instanceof TextNode || child.dropped || !(child.tag.block || child.hasBlock)) continue
    const { textLength, linkLength } = child
    if (textLength === 0) continue
    if (
      child.name !== 'figcaption' &&
      textLength < 1500 &&
      child.prose < 0.35 * prose &&
      roleOf(child) === 'caption' &&
      !NUMBERED.test(startOf(child))
    ) {
      dropWords(child, holds(child, 'figcaption') && /gallery|slideshow|carousel/i.test(attributeOf(child, 'class') ?? ''))
      continue
    }
    if (child.name === 'figure' && textLength < 1500 && !mayHoldHeading(child) && !NUMBERED.test(startOf(child)) && isPicture(child)) {
      dropWords(child, !withFrame)
      continue
    }
    if (teasers !== null) {
      if (kindOfEntry(child) === teasers) {
        child.dropped = true
        continue
      }
      teasers = null
    }
    const isHeading = namesHeading(child.name)
    const isLinks = linkLength > 0.6 * textLength
    if (follows && !isHeading && leadsElsewhere(child)) {
      child.dropped = true
      continue
    }
    follows = false
    if (!child.hasBlock) {
      if (textLength > (isLinks ? 400 : 200) || child.tag.pre || child.name === 'td' || child.name === 'th' || child.name === 'dt') continue
      const text = startOf(child)
      if (textLength < 60 && POINTS_ELSEWHERE.test(text)) {
        // Only if links follow: a chapter may have the same heading.
        follows = isHeading || !isLinks
        if (follows && !isFollowedByLinks(element, at)) follows = false
        if (!follows && isHeading) teasers = teasersBelow(element, at)
        // One line may contain both the words and the link.
        if (follows || isLinks || teasers !== null || (!isHeading && isInvitation(child))) child.dropped = true
      } else if (child.name === 'p' || child.name === 'div' || child.name === 'center' || isHeading) {
        if (
          !ENTRIES.has(element.name) &&
          !(child.name === 'div' && (ownWords ??= hasOwnWords(element))) &&
          linkLength > 0.9 * textLength &&
          textLength > 12 &&
          !isHeading &&
          !/[.!?…][^\p{L}\p{N}]?$/u.test(endOf(child))
        )
          child.dropped = true
        else if (isInvitation(child)) child.dropped = true
        else if (NOTICE.test(text)) child.dropped = true
      }
    } else if (
      isLinks &&
      child.prose === 0 &&
      child.name !== 'table' &&
      (child.name !== 'section' || holds(child, 'img')) &&
      isCards(child)
    )
      child.dropped = true
    else if (textLength < 300 && linkLength > 0 && CALLS.test(startOf(child)) && child.prose < 100) child.dropped = true
    else if (!KEPT_WHOLE.has(child.name) && !parts.has(child)) dropInterruptions(child, article)
  }
}

/** A line such as "read also" that contains its link. */
function isInvitation(line: ElementNode): boolean {
  return line.linkLength > 0.3 * line.textLength && INVITES.test(startOf(line)) && !endOf(line).endsWith('.')
}

/** Does a figure show a picture or a film, and not code, a table, or a quotation? */
function isPicture(figure: ElementNode): boolean {
  return (['pre', 'table', 'blockquote', 'ul', 'ol', 'code'] as const).every((name) => !holds(figure, name))
}

/** Drops the text beside a picture and keeps the picture. */
function dropWords(element: ElementNode, isGallery: boolean): void {
  if (!holds(element, 'img')) element.dropped = true
  else
    for (const child of element.children)
      if (child instanceof ElementNode && child.textLength > 0 && (isGallery || child.name !== 'figcaption')) dropWords(child, isGallery)
}

function hasOwnWords(element: ElementNode): boolean {
  return element.children.some((child) => child instanceof TextNode && child.data.trim() !== '')
}

/** @param heading  its index among the children */
function isFollowedByLinks({ children }: ElementNode, heading: number): boolean {
  for (let at = heading + 1; at < children.length; at++) {
    const next = children[at]!
    if (next instanceof TextNode || next.dropped || next.textLength === 0) continue
    return leadsElsewhere(next)
  }
  return false
}

/** The kind of the entries below a heading when at least two have the same kind: teasers of other articles. */
function teasersBelow({ children }: ElementNode, heading: number): string | null {
  let kind: string | null = null
  for (let at = heading + 1; at < children.length; at++) {
    const next = children[at]!
    if (next instanceof TextNode || next.textLength === 0) continue
    const other = kindOfEntry(next)
    if (other === null || kind !== null) return other === kind ? kind : null
    kind = other
  }
  return null
}

function kindOfEntry(element: ElementNode): string | null {
  return element.hasBlock && element.linkLength > 0
    ? `${element.name} ${attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''}`
    : null
}

/** Is it mostly links, or a list with a link in each entry? */
function leadsElsewhere(element: ElementNode): boolean {
  if (element.linkLength > 0.6 * element.textLength) return true
  return (
    element.name === 'ul' &&
    element.linkLength > 0.25 * element.textLength &&
    element.children.every((item) => item instanceof TextNode || item.linkLength > 0 || item.textLength === 0)
  )
}

/** Pictures and headlines that link to other pages. */
function isCards(element: ElementNode): boolean {
  return (
    element.textLength > 30 &&
    (holds(element, 'img') || holds(element, 'article') || holds(element, 'h3') || holds(element, 'h4')) &&
    holds(element, 'a')
  )
}

const ENTRIES = new Set(['li', 'dd', 'td'])
/** Elements in which every line belongs to the whole. */
const KEPT_WHOLE = new Set(['dl', 'table', 'blockquote', 'pre'])
/** Captions with a number: the text refers to them. */
const NUMBERED = /^(?:fig|figure|table|tab|listing|example|abb|abbildung|tabelle|figura|tabla)\b.{0,3}\d/i
/** "Read also" and "related" in other languages than English. */
const POINTERS = [
  'lire aussi|à lire|voir aussi|vous aimerez|articles (?:liés|similaires)|sur le même sujet',
  'lesen sie (?:auch|mehr)|lies auch|mehr zum thema|das könnte|ähnliche|auch interessant|passend dazu|siehe auch',
  'lea (?:también|más)|lee también|leer más|(?:le|te) puede interesar|vea también|mira también|ver también|artículos relacionados|noticias relacionadas',
  'você pode gostar|veja (?:também|mais)|leia (?:também|mais)|saiba mais|notícias relacionadas',
  'leggi anche|leggi di più|vedi anche|potrebbe interessarti|articoli correlati',
  'lees (?:ook|meer)|läs (?:också|mer|även)|les også|læs også|lue myös',
  'czytaj (?:także|też|więcej)|zobacz (?:także|też|również)|przeczytaj też|čtěte také|přečtěte si|prečítajte si|olvass[ae] (?:el|tovább)|kapcsolódó cikk|cite[sșş]te [sșş]i|pročitajte',
  'читайте (?:также|також|ещё|еще)|смотрите также|материалы по теме|по теме|διαβάστε (?:επίσης|ακόμα)|ilgili haber|bunu da oku',
  'baca juga|xem thêm|関連記事|関連ニュース|あわせて読みたい|相关阅读|相关新闻|延伸阅读|延伸閱讀|相關(?:新聞|報導)|관련 ?기사|اقر[أا] (?:أيضا|المزيد)|إقرأ (?:أيضا|المزيد)|קראו (?:גם|עוד)|यह भी पढ़ें',
].join('|')
const POINTS_ELSEWHERE = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:related(?:[^\p{L}\p{N}]*$| (?:article|post|stor|news|content|coverage|link|topic|reading|item|video|report|page))|recommended(?:[^\p{L}\p{N}]*$| (?:for|stor|article|post|video|by))|more (?:from|on|in|great|stories|news|like|about|coverage|reading)|read (?:more|also|next|this)|also read|further reading on|you (?:may|might)|see (?:also|more)|most (?:read|popular|viewed)|trending|(?:popular|latest)(?:[^\p{L}\p{N}]*$| (?:on|in|from|news|post|stor|article|video))|don.t miss|what to read|up next|keep reading|top stories|in case you missed|editor.s picks|must.reads?|must read|${POINTERS})`,
  'iu',
)
const INVITES = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:related|read (?:more|also|next)|also(?: read)?:|see (?:also|more)|more:|don.t miss|click here|sign up|subscribe|follow|like us|share|support (?:us|our)|donate|${POINTERS})`,
  'iu',
)
/** A box with an appeal: to subscribe, donate or share. */
const CALLS =
  /^[^\p{L}\p{N}]*(?:subscribe|sign up|newsletter|get (?:the|our) .{0,30}newsletter|follow us|support our|become a (?:member|subscriber))(?![\p{L}\p{N}])/iu
const NOTICE =
  /^\[[a-z_-]+ [a-z_-]+=|^[^\p{L}\p{N}]*(?:advert(?:isement|ising)?(?![\p{L}\p{N}])|iklan[^\p{L}\p{N}]*$|publicité[^\p{L}\p{N}]*$|pubblicità[^\p{L}\p{N}]*$|sponsored|story continues|article continues|continue reading|scroll (?:down|to)|share this|like this story|this slideshow requires|media playback is|please enable javascript|loading(?![\p{L}\p{N}]).{0,12}$|\(?image(?: credit)?: |photo(?: credit)?: |image copyright|publicidade|anzeige|werbung|реклама)/iu
