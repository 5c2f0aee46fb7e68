import { isUnfolded } from '#backend/crawler/html/disclosure.ts'
import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, firstLink, startOf } from '#backend/crawler/html/tree-text.ts'

/**
 * What an element seems to be, by its name, role, class and id. `none`: no evidence; `hidden`: not shown; `perhaps`: furniture if it is
 * small; `header`: may contain the title; `comments`: may be all there is to read; `legal`: content only if there is no other; `contents`:
 * links to parts of this page, or to all of a book; the rest is furniture.
 */
export type Role =
  'none' | 'hidden' | 'furniture' | 'perhaps' | 'header' | 'comments' | 'contents' | 'legal' | 'byline' | 'caption' | 'body'

const FURNITURE = wordSet(
  'nav navs navheader navfooter navbox navbar docnav navigation topnav subnav menu menus submenu breadcrumb breadcrumbs crumbs sidebar sidebars footer footers printfooter colophon masthead cookie cookies consent gdpr ' +
    'newsletter newsletters subscribe signup advert adverts advertisement advertising ads adsense dfp sharebar sharetools sharelinks sharedaddy sharebox ' +
    'related relateds recommended recommendation recommendations recirc recirculation trending mostread outbrain taboola disqus topbar pagination pagenavi pager paginate prevnext ' +
    'toolbar actionbar tagcloud taglist tagbox skip skiplink skiplinks jumplinks jumpto editsection headerlink morestories upnext nextup backtotop totop noprint offscreen ' +
    'tocset navsettop navsetbottom titlearea msearch',
)
/** Words of both furniture and content: evidence enough for a small part of a page, not for a large one. */
const PERHAPS = wordSet(
  'rail readmore subscription promo promos promotion ad sponsor sponsored sponsors partner partners share shares sharing social socials socialmedia similar popular paginator toolbox modal popup popover overlay ' +
    'lightbox dropdown tooltip tags topics keywords login signin paywall copyright legal disclaimer teaser teasers readnext syndication print printonly feedback survey playlist carousel slideshow',
)

/** Such words without a separator: `relatedlinks`, `cookielayer`, `leftsidebar`. */
const JOINED_FURNITURE =
  /^(?:(?:related|similar|recommended|recommend|trending|popular|latest|further|other|more)(?:links?|posts?|articles?|stor(?:y|ies)|news|contents?|items?|box|topics?|videos?|reads?)|(?:article|post|news|story)(?:recommendations?|related)|(?:left|right|main|site)?(?:sidebar|sidenav)(?:left|right|widgets?|box)?|(?:main|top|site|sub|foot|footer|meta|head|header|mobile|page|side|bread)(?:nav|navi|navigation|menu|crumbs?)|(?:site|page|main|global)footer|footer(?:links?|menu|area|content|wrapper)|cookie(?:banner|bar|layer|notice|hint|info|box|overlay)|newsletter(?:box|form|signup|teaser|banner)|(?:social|share)(?:share|bar|box|buttons?|links?|icons?|media)|(?:ad|ads|advert)(?:box|banner|slot|container|wrapper|unit)s?|(?:prev|previous)next|tag(?:s|list|cloud|box))$/
const JOINED_TEASER = /^(?:news|article|story|topic|content|page|link|image|video|product|event|box|list)(?:teasers?|promo)$/

function wordSet(words: string): Set<string> {
  return new Set(words.split(' '))
}

/** Pairs of words that are evidence only together. */
const FURNITURE_PAIRS =
  /(?:^| )(?:sr only|off screen|action bar|ie only|browser (?:upgrade|update|warning|notice)|outdated browser|image meta|media player|video player|jw player|featured video|social links|screen reader|visually hidden|visuallyhidden|read (?:next|also)|more (?:stories|news|from|posts|articles|in|on)|see also|up next|next (?:post|article|story|prev)|prev(?:ious)? (?:post|article|story|next)|post (?:nav|navigation|pagination|tags|share|author|footer)|entry (?:footer|utility)|author (?:bio|box|info|card|profile|description|content|block)|about (?:the )?author|tag (?:list|cloud|links)|cat(?:egory)? links|back to top|to top|most (?:read|popular|viewed|recent)|latest (?:news|posts|stories)|recent (?:posts|comments|entries)|sign up|log in|site (?:header|footer|nav|info|sub)|top bar|page (?:footer|nav)|edit (?:page|link|section)|widget area|you may|also like|add to (?:basket|cart|bag)|top stories|follow us|mailing list|social media|image credit|photo credit|out of band|doc info|page id|date header|jp relatedposts|tooltip (?:text|content|inner|body|box|bubble)|tooltip(?:text|content|inner|box))(?: |$)/
/** A link to another page, or the rest of this page's text behind a button; the results of a search, or the box that a script fills with them. */
const READ_MORE = /(?:^| )(?:read more|search results?)(?: |$)/
const LEGAL = /(?:^| )(?:legal ?notice|licen[cs]e notice|copyright notice)(?: |$)/
const CONTENTS = /(?:^| )(?:tocs?|table of contents)(?: |$)/
const HEADER = new Set('header heading'.split(' '))
/** Consent dialogs are never content, whatever their text. */
const CONSENT =
  /(?:^| )(?:(?:cookies?|gdpr|gprd|consent|privacy) (?:consent|banner|bar|notice|notification|law|popup|message|info|overlay|warning|modal|dialog|box|alert|disclaimer|container|wrapper)|(?:cookie|cookies|gdpr|onetrust|cookiebot|cookieconsent|didomi host|iubenda cs|sp message container|tarteaucitron|qc cmp|cmp container|klaro|axeptio|cookiescript|truste consent|usercentrics|cc window))(?: |$)/
/** Areas of comments, and single ones; in the languages whose sites name their classes in them. */
const COMMENTS =
  /(?:^| )(?:comments|commentlist|comment (?:list|section|area|thread|form|respond|box|wrap|wrapper|container|holder|block|item|inner|content|contents|body|text|even|odd|byuser|depth)|(?:fb|user|reader|visitor|article|post|blog)comments?|comment(?:section|area|box|block|thread|form|content|body|text)|respond|discussion (?:area|list)|replies|commentaires|comentarios|kommentare|leserkommentare|kommentarbereich|kommentarer|commenti|reacties|komentarze)(?: |$)/
const BYLINE =
  /(?:^| )(?:byline|bylines|dateline|timestamp|pubdate|publish(?:ed)? (?:date|info|on|at|time)|pub date|date published|post (?:meta|date|info|byline|details)|entry (?:meta|date|info)|article (?:meta|date|info|byline|details|credits)|story (?:meta|date)|story byline|author name|author date|authors|author|posted on|posted by|credit|credits|image meta|meta data|submitted|contributors)(?: |$)/
/** Class names of captions and of galleries with captions. */
const CAPTION = /(?:^| )(?:caption|captions|photo|gallery|galleries|image)(?: |$)/
const BODY =
  /(?:^| )(?:article ?body|article (?:content|text)|entry content|post (?:content|body|text|entry)|story ?body|story (?:content|text)|blog (?:content|post body)|body (?:content|copy|text)|main content|content body|field name body|rich ?text|markdown body|mw parser output|text copy|single content|news ?text)(?: |$)/
/** Parts of a recipe: lists and tables without sentences, … */
const RECIPE_LIST =
  /(?:^| )(?:ingredients?|zutaten|ingredientes|ingredienti|ingr[ée]dients|sk[łl]adniki|(?:recipe|cooking|preparation) (?:steps?|instructions?|directions?|methods?)|(?:recipe|wprm) nutrition|nutrition (?:facts|info|information|label|table))(?: |$)/
/** … and what lists of other recipes have as well. */
const RECIPE_FACTS = /(?:^| )(?:nutrition|recipe (?:facts|info|information|label|table|notes|yield|servings|times?))(?: |$)/

/** `entryFooter` becomes `entry-footer`. */
const separateWords = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase()

/** Does the class of an element name a part of a recipe? */
export function namesRecipePart(element: ElementNode): boolean {
  const words = wordsOfRecipe(element)
  return words !== '' && (RECIPE_LIST.test(words) || RECIPE_FACTS.test(words))
}

/** Does it name ingredients, steps or nutrients? */
export const namesRecipeList = (element: ElementNode): boolean => RECIPE_LIST.test(wordsOfRecipe(element))

/** The words of the class of an element; empty if it has none of a recipe, as nearly all elements. */
function wordsOfRecipe(element: ElementNode): string {
  const name = attributeOf(element, 'class')
  return name === undefined || !RECIPE_WORD.test(name) ? '' : separateWords(name).replace(/[^\p{L}]+/gu, ' ')
}
const RECIPE_WORD = /ingr|zutat|kladnik|kładnik|recipe|nutrition|cooking|preparation/i

/** Are these footnotes of the text, or one of them? They begin with a link back to it. */
export function isNotes(element: ElementNode): boolean {
  if (!NOTES.test(attributeOf(element, 'class') ?? '') && !NOTES.test(attributeOf(element, 'id') ?? '')) return false
  const link = firstLink(element)
  return link !== null && attributeOf(link, 'href')!.startsWith('#')
}
const NOTES = /(?:^|[\s_-])(?:foot|end)notes?(?:[\s_-]|$)/i

/** Columns named after their side. Tested before `LAYOUT` removes such names. */
const SIDE_COLUMN = /(?:^|\s)\S*(?:left|right)[-_]?(?:rail|bar|side-?bar)(?:\s|$)/
const PERHAPS_COLUMN =
  /(?:^|\s)(?:(?:left|right)[-_]?(?:col|column|side|pane|panel)|(?:col|column|content|sidebar|region|area|layout)[-_]secondary|secondary[-_](?:col|column|content|area))(?:\s|$)/
/** Class names about the page's layout: `has-sidebar`, `no-footer`, `sidebar-layout`. */
const LAYOUT = /(?:^|\s)\S*(?:layout|--print[-_]|(?:has|with|without|no|hide|show|is|not|enable|one|two|both|left|right|target)[-_]+)\S*/g

/**
 * Values in class names of Tailwind, which say how an element is shown beside a bar or a menu: `scroll-mt-[var(--navbar-height)]`,
 * `data-[sidebar=open]:ml-4`, `mt-(--nav-height)`, `pt-header`, `group-hover/menu:block`, `print:break-inside-avoid`. But `my-footer` is a
 * footer, and `ml-subscribe-form` the form of MailerLite.
 */
const VALUES =
  /\[[^\s\]]*\]|\([^\s)]*\)|\/[\w-]+(?=:)|print:(?!hidden)\S+|(?<=(?:^|[\s:])(?:p[trblxyse]|m[trblxs]|scroll-[mp][trblxyse]?)-)\w+(?:-(?:height|width|offset))?(?=\s|$)/g

/** Class names by which frameworks hide an element, … */
const HIDDEN_CLASS = /(?:^|\s)(?:is-)?(?:hidden|hide|d-none|display-none|js-hidden)(?:\s|$)/
/** … unless others show it on some screens, or after a click. */
const SHOWN_LATER =
  /(?:^|\s)(?:\S+:\S+|d-(?:sm|md|lg|xl|xxl|print)-\S+|visible\S*|show\S*)(?:\s|$)|tab|panel|pane|accordion|collaps|faq|answer|more|code|fold|expand|toggle/

const COUNTS = new Set([
  'position',
  'upvoteCount',
  'downvoteCount',
  'answerCount',
  'commentCount',
  'interactionCount',
  'userInteractionCount',
])

/** Cache by class names, which repeat within a site. */
const remembered = new Map<string, Role>()
const MAX_REMEMBERED = 10_000

/** The role of an element by its name, its ARIA role, or being hidden, whatever its classes. */
export function markedRoleOf(element: ElementNode): Role {
  const attributes = element.attributes
  let byRole: Role | undefined
  let isTabPanel = false
  let isHidden = false
  for (let at = 0; attributes !== null && at < attributes.length; at += 2) {
    const value = attributes[at + 1]!
    const name = attributes[at]!
    if (name === 'role') {
      if (value === 'tabpanel') isTabPanel = true
      else byRole = ROLE_BY_ARIA.get(value)
    } else isHidden ||= hides(name, value, attributes)
  }
  return isHidden && !isTabPanel ? 'hidden' : (ROLE_BY_NAME.get(element.name) ?? byRole ?? 'none')
}

export function roleOf(element: ElementNode): Role {
  const attributes = element.attributes
  const byName = ROLE_BY_NAME.get(element.name)
  if (attributes === null) return byName ?? 'none'
  let label = ''
  let id = ''
  let isTabPanel = false
  let byRole: Role | undefined
  let isHidden = false
  for (let at = 0; at < attributes.length; at += 2) {
    const value = attributes[at + 1]!
    switch (attributes[at]) {
      case 'class':
      case 'data-testid':
      case 'data-component':
        if (value !== '') label += label === '' ? value : ' ' + value
        break
      case 'id':
        if (PLACES.has(element.name)) id = value
        break
      case 'itemprop':
        if (value === 'articleBody') return 'body'
        // Numbers of entries and votes, meant for machines.
        if (COUNTS.has(value)) return 'furniture'
        break
      case 'itemtype':
        if (value.endsWith('/BreadcrumbList')) return 'furniture'
        break
      case 'role':
        if (value === 'tabpanel') isTabPanel = true
        else byRole = ROLE_BY_ARIA.get(value)
        break
      case 'hidden':
      case 'aria-hidden':
      case 'style':
        isHidden ||= hides(attributes[at]!, value, attributes)
    }
  }
  // A link with a tooltip is not one itself.
  if (element.name === 'a' && label.includes('tip')) label = label.replace(TOOLTIP, '')
  if (id !== '' && !namesContent(element, id, label)) label += label === '' ? id : ' ' + id
  // The other tabs of a tabbed text are one click away and belong to it.
  // So do parts that a button unfolds.
  if (isHidden && !isTabPanel) {
    const isFolded = FOLDED.test(label) || isFoldedRow(element) || (byName === undefined && byRole === undefined && isUnfolded(element))
    return isFolded && roleOfLabel(label) === 'none' ? 'none' : 'hidden'
  }
  if (byName === 'furniture' && element.name === 'aside') return TEXT_ASIDE.test(label) ? 'none' : 'furniture'
  if (byName !== undefined) return byName
  // Rows are named after their content.
  if (element.name === 'tr' || element.name === 'th' || element.name === 'tbody') return 'none'
  if (byRole !== undefined) return byRole
  if (label === '') return 'none'
  const known = remembered.get(label)
  if (known !== undefined) return known
  const role = roleOfLabel(label)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  if (label.length < 1000) remembered.set(label, role)
  return role
}

const TOOLTIP = /(?<!\S)\S*tool-?tip\S*/gi

/** Notes, boxes with facts, and quotations in forums are written as `aside`, too; not words of the text itself that are repeated in large letters. */
const TEXT_ASIDE =
  /\b(?:note|admonition|callout|tip|warning|info|important|starlight-aside|alert|topic|footnotes?|footnote-list|sidenote|marginnote|info-?box|fact-?box|(?<!pull[-_])quote)\b/i

/** Declarations of a style attribute, but not of custom properties. What is clipped to nothing is for screen readers alone. */
const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|clip\s*:\s*rect\((?:[\s,]*[01](?:px)?(?=[\s,)])){4}|clip-path\s*:\s*inset\((?:50|100)%\s*\))/i
const STREAMED = /^S:[\da-f]+$/i

/**
 * Does an attribute hide its element? Not `hidden=until-found`, whose text a search opens; and not the boxes into which React streams parts
 * of a page for a script to show.
 */
function hides(name: string, value: string, attributes: readonly string[]): boolean {
  if (name === 'hidden') return value.toLowerCase() !== 'until-found' && !STREAMED.test(idOf(attributes))
  if (name === 'aria-hidden') return value === 'true'
  return name === 'style' && value.length < 500 && HIDING.test(value)
}

function idOf(attributes: readonly string[]): string {
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === 'id') return attributes[at + 1]!
  return ''
}

/** Is an element furniture by its id alone: do its classes and its data attributes say nothing? */
export function isNamedByIdAlone(element: ElementNode): boolean {
  if (attributeOf(element, 'id') === undefined || ROLE_BY_NAME.has(element.name) || attributeOf(element, 'role') !== undefined) return false
  const label = ['class', 'data-testid', 'data-component'].map((name) => attributeOf(element, name) ?? '').join(' ')
  return roleOfLabel(label) === 'none'
}

/**
 * Does an id name the content of its element? So it is with sections, chapters, tables, notes and terms, and with an item of a reference,
 * which begins with a permalink. A link with words to itself opens a menu or leads to the comments.
 *
 * @param label  the class names
 */
function namesContent(element: ElementNode, id: string, label: string): boolean {
  if (DOCUMENT_PART.test(label) || isChapter(element)) return true
  if (SECTION.test(label) && (/[-_.]/.test(id) || isLinkedHeading(firstHeading(element)))) return true
  // Only the first element: a search for the first link would read most of a page again for each of its nested boxes.
  const first = element.children.find((child) => child instanceof ElementNode)
  return first !== undefined && first.name === 'a' && attributeOf(first, 'href') === `#${id}` && !/\p{L}/u.test(startOf(first))
}

/** Does a heading have a permalink, or a link back to the table of contents? Docutils and Sphinx write both. */
function isLinkedHeading(heading: ElementNode | null): boolean {
  const link = heading === null ? null : firstLink(heading)
  return link !== null && /^#./.test(attributeOf(link, 'href')!)
}

/** Does it begin with a numbered heading, such as “10.2 Comments”? */
function isChapter(element: ElementNode): boolean {
  const heading = firstHeading(element)
  return heading !== null && CHAPTER.test(startOf(heading, 20))
}
const CHAPTER = /^(?:[A-Z]|\d{1,3})(?:\.\d{1,3})+\.?\s/

const DOCUMENT_PART = /(?:^|\s)(?:(?:ref)?sect\d|sub\w*section|chapter|appendix|admonition|table|figure|example|method-detail)(?:\s|$)/
const SECTION = /(?:^|\s)section(?:\s|$)/
/** Is it a row of a tree of classes or files by Doxygen, which shows the rows of the first level until a click? */
const isFoldedRow = (element: ElementNode): boolean => element.name === 'tr' && ROW_OF_TREE.test(attributeOf(element, 'id') ?? '')
const ROW_OF_TREE = /^row_(?:\d+_)+$/

/** Parts that unfold below their heading, which Squarespace calls `accordion-item__dropdown`. */
const ANSWER = /(?:^|[\s_-])(?:accordion|faq|answer|collaps\w+)(?:[\s_-]|$)/i

/** Parts that unfold on a click. */
const FOLDED = /(?:^|[\s_-])(?:accordion|tab|answer|faq|expand(?:er|able)?|collaps\w+)(?:[\s_-]|$)/i
const PLACES = new Set(['div', 'ul', 'ol', 'table', 'td', 'form', 'body'])

const ROLE_BY_NAME = new Map<string, Role>([
  ['nav', 'furniture'],
  ['aside', 'furniture'],
  ['footer', 'furniture'],
  ['header', 'header'],
  ['dialog', 'furniture'],
  ['menu', 'furniture'],
])
const ROLE_BY_ARIA = new Map<string, Role>([
  ['navigation', 'furniture'],
  ['complementary', 'furniture'],
  ['contentinfo', 'furniture'],
  ['banner', 'header'],
  ['search', 'furniture'],
  ['dialog', 'furniture'],
  ['alertdialog', 'furniture'],
  ['menu', 'furniture'],
  ['menubar', 'furniture'],
  ['toolbar', 'furniture'],
  ['tooltip', 'furniture'],
])

function roleOfLabel(label: string): Role {
  const names = separateWords(label.slice(0, 500).replace(VALUES, ''))
  const text = names
    .replace(LAYOUT, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
  // Embedded posts of social networks, which a text quotes.
  if (/(?:^| )(?:embed|embedded|quote|tweet)(?: |$)/.test(text)) return 'none'
  if (CONSENT.test(text)) return 'hidden'
  if (COMMENTS.test(text)) return 'comments'
  if (BODY.test(text)) return 'body'
  if (RECIPE_LIST.test(text) || RECIPE_FACTS.test(text)) return 'none'
  if (FURNITURE_PAIRS.test(text)) return 'furniture'
  if (SIDE_COLUMN.test(names)) return 'furniture'
  let role: Role =
    PERHAPS_COLUMN.test(names) || READ_MORE.test(text) || (HIDDEN_CLASS.test(names) && !SHOWN_LATER.test(names)) ? 'perhaps' : 'none'
  for (const word of text.split(' ')) {
    if (FURNITURE.has(word) || (word.length > 6 && JOINED_FURNITURE.test(word))) return 'furniture'
    if (word === 'dropdown' && ANSWER.test(label)) continue
    if (PERHAPS.has(word) || (word.length > 6 && JOINED_TEASER.test(word))) role = 'perhaps'
    else if (HEADER.has(word) && role === 'none') role = 'header'
  }
  if (/(?:^|\s)widget(?:[\s_]|-(?!container)|$)/.test(label) && !label.includes('elementor')) return 'furniture'
  if (LEGAL.test(text)) return 'legal'
  if (CONTENTS.test(text)) return 'contents'
  if (role === 'perhaps') return role
  if (BYLINE.test(text)) return 'byline'
  if (CAPTION.test(text) && !/(?:^| )(?:code|table|figure|product)(?: |$)/.test(text)) return 'caption'
  return role
}
