/**
 * Is an HTML answer a shell: a page whose text its scripts have yet to make? Pure. What is looked at is what a reader without scripts would
 * see, so a page that a server has written in full is none, whatever it is built with.
 */
import { ElementNode, attributeOf } from '#backend/crawler/page/html-tree.ts'

/** Characters that are not white space. With more than this a page has something to say by itself. */
const MOST_TEXT = 1500
/** Beside a request for JavaScript. */
const MOST_BESIDE_REQUEST = 400
/** With nothing else that speaks for a shell: a word or two, or none. */
const MOST_OF_NOTHING = 40
/** What a place for an application may hold and still be empty: "Loading …". */
const MOST_IN_MOUNT = 60
/** Characters of a page that are searched: its beginning and its end. */
const MOST_HTML = 100_000
/** Elements that are looked at. */
const MOST_LOOKS = 400
/** Where the frameworks put an application, by their templates. */
const MOUNT_IDS =
  /^(?:root|app|main-app|app-root|__next|__nuxt|___gatsby|q-app|svelte|react-root|reactroot|ember-application|application|mount|app-container|approot|page-root)$/i
/** An element of its own, as Angular, Lit and Polymer make them. */
const CUSTOM_NAME = /^[a-z][a-z0-9]*-[a-z0-9-]+$/
const RUNS_SCRIPT = /<script(?![^>]{0,500}\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|speculationrules|importmap))[^>]{0,2000}>/i
const ASKS_FOR_SCRIPTS =
  /<noscript[^>]*>(?:(?!<\/noscript)[\s\S]){0,600}?(?:java\s?-?script|JS\b)(?:(?!<\/noscript)[\s\S]){0,300}?(?:enable|turn|activ|requi|need|aktivier|activ|habilit|work|without|run)|<noscript[^>]*>(?:(?!<\/noscript)[\s\S]){0,600}?(?:enable|turn on|activ\w*|requires?|need\w*|aktivier\w*|habilit\w*|without)(?:(?!<\/noscript)[\s\S]){0,300}?(?:java\s?-?script|JS\b)/i

/**
 * Why a page needs a browser, in a line; null when it can be read as it is.
 *
 * @param root  of the page's tree, with everything in it
 * @param html  the page as it came
 */
export function shellReason(root: ElementNode, html: string): string | null {
  const text = root.textLength
  if (text > MOST_TEXT) return null
  const ends = html.length > MOST_HTML ? html.slice(0, MOST_HTML / 2) + html.slice(-MOST_HTML / 2) : html
  if (!RUNS_SCRIPT.test(ends)) return null
  const mount = emptyMount(root)
  if (mount !== null) return `${mount} is empty`
  if (text <= MOST_BESIDE_REQUEST && ASKS_FOR_SCRIPTS.test(ends)) return 'it asks for JavaScript'
  return text <= MOST_OF_NOTHING ? 'it has scripts and no text' : null
}

/** The place of an application that has nothing in it yet, as a reader would name it. */
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
        // Beside a text of the page's own an empty custom element is a part of it.
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
