/**
 * Is an HTML answer a shell: a page whose text its scripts have yet to create? A pure function. It judges what a reader without scripts
 * would see, so a page that a server has rendered in full is no shell, whatever framework made it.
 */
import { ElementNode, attributeOf } from '#backend/crawler/html/html-tree.ts'

/** Characters other than white space. A page with more has text of its own. */
const MOST_TEXT = 1500
/** The same for a page that asks for JavaScript. */
const MOST_BESIDE_REQUEST = 400
/** The same without any other sign of a shell: a word or two. */
const MOST_OF_NOTHING = 40
/** An application's mount element still counts as empty with so much text: "Loading …". */
const MOST_IN_MOUNT = 60
/** Characters of a page that are searched, from its beginning and its end. */
const MOST_HTML = 100_000
/** Most elements that are examined. */
const MOST_LOOKS = 400
/** Ids of the element in which frameworks mount an application, from their templates. */
const MOUNT_IDS =
  /^(?:root|app|main-app|app-root|__next|__nuxt|___gatsby|q-app|svelte|react-root|reactroot|ember-application|application|mount|app-container|approot|page-root)$/i
/** A custom element, as Angular, Lit and Polymer use them. */
const CUSTOM_NAME = /^[a-z][a-z0-9]*-[a-z0-9-]+$/
const RUNS_SCRIPT = /<script(?![^>]{0,500}\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|speculationrules|importmap))[^>]{0,2000}>/i
/** Scripts only choose the page that a frame shows first (Javadoc). */
const FRAME = /<frame\s[^>]{0,500}\bsrc\b/i
const ASKS_FOR_SCRIPTS =
  /<noscript[^>]*>(?:(?!<\/noscript)[\s\S]){0,600}?(?:java\s?-?script|JS\b)(?:(?!<\/noscript)[\s\S]){0,300}?(?:enable|turn|activ|requi|need|aktivier|activ|habilit|work|without|run)|<noscript[^>]*>(?:(?!<\/noscript)[\s\S]){0,600}?(?:enable|turn|activ\w*|requires?|need\w*|aktivier\w*|habilit\w*|without)(?:(?!<\/noscript)[\s\S]){0,300}?(?:java\s?-?script|JS\b)/i

/**
 * Why a page needs a browser, in one line; null when it does not.
 *
 * @param root  the page's tree, unfiltered
 * @param html  the page as it was received
 */
export function shellReason(root: ElementNode, html: string): string | null {
  const text = root.textLength
  if (text > MOST_TEXT) return null
  const ends = html.length > MOST_HTML ? html.slice(0, MOST_HTML / 2) + html.slice(-MOST_HTML / 2) : html
  if (!RUNS_SCRIPT.test(ends) || FRAME.test(ends)) return null
  const mount = emptyMount(root)
  if (mount !== null) return `${mount} is empty`
  if (text <= MOST_BESIDE_REQUEST && ASKS_FOR_SCRIPTS.test(ends)) return 'it asks for JavaScript'
  // A server that leaves the page to the browser sends its frame around an empty main part.
  if (holdsEmptyMain(root, 0)) return '<main> is empty'
  return text <= MOST_OF_NOTHING ? 'it has scripts and no text' : null
}

/** The empty mount element of an application, as an HTML tag for people. */
function emptyMount(root: ElementNode): string | null {
  let looks = 0
  const search = (element: ElementNode, depth: number): string | null => {
    for (const child of element.children) {
      if (!(child instanceof ElementNode) || looks >= MOST_LOOKS) continue
      looks += 1
      const id = attributeOf(child, 'id')
      const isPlace = id !== undefined && MOUNT_IDS.test(id)
      const isOwn = depth <= 2 && CUSTOM_NAME.test(child.name)
      if ((isPlace || isOwn) && child.textLength <= MOST_IN_MOUNT) {
        // An empty custom element beside other text is just a part of the page.
        if (isPlace || root.textLength - child.textLength <= MOST_OF_NOTHING)
          return isPlace ? `<${child.name} id="${id}">` : `<${child.name}>`
      }
      const found = depth < 4 ? search(child, depth + 1) : null
      if (found !== null) return found
    }
    return null
  }
  return search(root, 0)
}

/** Is there a main part with a few words at most, and no heading, picture or link? */
function holdsEmptyMain(element: ElementNode, depth: number): boolean {
  for (const child of element.children.slice(0, MOST_LOOKS)) {
    if (!(child instanceof ElementNode)) continue
    if (child.name === 'main') return child.inside === 0 && child.textLength <= MOST_IN_MOUNT
    if (depth < 4 && holdsEmptyMain(child, depth + 1)) return true
  }
  return false
}
