/** Lists of other pages below a text, recognised by the words of their headings, whatever their class names. */
import { ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { mayHoldHeading, namesHeading, startOf } from '#backend/crawler/html/tree-text.ts'
import { holdsRecipeList } from './described-parts.ts'
import { isLongText } from './furniture/drop-furniture.ts'

const MOST_HEADING = 60
/** Least prose above such a heading; with less, the links may be what the page is about. */
const LEAST_TEXT = 150

/**
 * Drops headings such as “Related products” with the links or cards below them. Manuals write “See also”, and front pages “Latest news”:
 * these stay.
 *
 * @param aroundParts  parts that JSON-LD describes, and the elements around them: they stay
 * @returns  was anything dropped?
 */
export function dropPointers(root: ElementNode, aroundParts: ReadonlySet<ElementNode>): boolean {
  let text = 0
  let isChanged = false
  walk(root)
  return isChanged

  function walk(element: ElementNode): void {
    for (let at = 0; at < element.children.length; at++) {
      const child = element.children[at]!
      if (child instanceof TextNode || child.dropped) continue
      if (namesHeading(child.name)) {
        if (text >= LEAST_TEXT && child.textLength < MOST_HEADING && POINTER.test(lineOf(child))) {
          const end = endOfLinks(element, at, aroundParts)
          if (end === at + 1) continue
          isChanged = true
          for (let dropped = at; dropped < end; dropped++) drop(element, dropped)
        }
      } else if (child.hasBlock && mayHoldHeading(child)) walk(child)
      else text += child.prose
    }
  }
}

function drop({ children }: ElementNode, at: number): void {
  const child = children[at]!
  if (child instanceof ElementNode) child.dropped = true
}

/** The text of a heading with single spaces: `POINTER` would take quadratic time for a long run of them. */
const lineOf = (heading: ElementNode): string => startOf(heading, 2 * MOST_HEADING).replace(/\s+/g, ' ')

/**
 * The index behind the last of the elements below a heading, if all of them are links or cards; the one behind the heading, if there are
 * none, or if a text without links, a long text or a part of a recipe is among them.
 */
function endOfLinks({ children }: ElementNode, heading: number, aroundParts: ReadonlySet<ElementNode>): number {
  const level = (children[heading] as ElementNode).name
  let end = heading + 1
  for (let at = end; at < children.length; at++) {
    const child = children[at]!
    if (child instanceof TextNode) {
      if (child.data.trim() !== '') return heading + 1
    } else if (child.textLength > 0 && !child.dropped) {
      if (namesHeading(child.name) && child.name <= level) break
      if (child.linkLength === 0 || isLongText(child) || aroundParts.has(child) || holdsRecipeList(child)) return heading + 1
      end = at + 1
    }
  }
  return end
}

const THINGS = 'articles?|posts?|stories|news|products?|items?|threads?|jobs?|videos?|recipes?|events?|questions?|pages you viewed'
const POINTER = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${[
    `(?:related|similar|recommended|other|more|recently viewed) (?:${THINGS})(?: (?:from|by|for|like) .+)?`,
    '(?:(?:we found )?other products )?you (?:may|might) (?:also )?(?:like|enjoy|be interested in)|customers (?:also|who) .+|people also .+|frequently bought together|recommended for you|keep reading|read next|more like this',
    '(?:ähnliche|weitere|verwandte) (?:artikel|beiträge|produkte|nachrichten|objekte|stellen(?:angebote)?|rezepte|veranstaltungen)|das könnte (?:sie|dich|ihnen|dir) auch .+|kunden kauften auch|kunden, die .+',
    'articles? (?:similaires?|liés?|connexes?)|produits (?:similaires|associés|apparentés)|vous aimerez (?:aussi|peut-être).*|(?:artículos|productos|noticias|entradas) (?:relacionad[oa]s|similares)|también te puede .+',
    '(?:articoli|prodotti) correlati|potrebbe(?:ro)? (?:anche )?(?:interessarti|piacerti)|(?:artigos|produtos|notícias) relacionad[oa]s|você também pode gostar|gerelateerde (?:artikelen|berichten|producten)|(?:powiązane|podobne) (?:artykuły|wpisy|produkty)',
    'похожие (?:статьи|товары|записи|новости)|с этим товаром .+|関連(?:記事|商品|ニュース)|おすすめ記事|相关(?:文章|新闻|推荐|阅读|商品)|猜你喜欢|관련 ?(?:기사|글|상품)',
  ].join('|')})[^\\p{L}\\p{N}]*$`,
  'iu',
)
