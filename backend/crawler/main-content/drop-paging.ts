import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { isInline, namesHeading, mayHoldLink } from '#backend/crawler/html/tree-text.ts'

/** Longer parts are lists of links. */
const LONGEST_BAR = 400
/** A generator's imprint below a text is short. */
const LONGEST_IMPRINT = 250

/**
 * Drops the navigation of manuals above and below the text of a page: next, previous, up, contents, as texinfo, LaTeX2HTML, Javadoc,
 * Doxygen, LinuxDoc and people write it by hand, in tables, lines and bare links, without class names.
 */
export function dropPaging(root: ElementNode): void {
  const layout = LAYOUT * root.textLength
  dropBars(root, layout, false)
  dropBars(root, layout, true)
}

/** A table with this share of a page's text is there for the layout. */
const LAYOUT = 0.6

/**
 * @param layout   tables with more text than this are searched too
 * @param isBelow  walks from the end of the page upwards
 * @returns has the text been reached?
 */
function dropBars(parent: ElementNode, layout: number, isBelow: boolean): boolean {
  const { children } = parent
  const step = isBelow ? -1 : 1
  // A rule at the edge separates nothing; one next to a bar is dropped with it.
  let isAtEdge = true
  for (let at = isBelow ? children.length - 1 : 0; at >= 0 && at < children.length; at += step) {
    const child = children[at]!
    if (child instanceof TextNode || isInline(child)) {
      const run = runFrom(children, at, step)
      at += step * (run.length - 1)
      const text = linesOf(run)
      if (text.outside.trim() === '' && text.links.length === 0) continue
      if (!isBar(text) && !(isBelow && isEndOfPage(text, children, at))) return true
      for (const node of run) leaveOut(node)
      isAtEdge = true
    } else if (child.dropped) continue
    else if (child.textLength === 0) {
      if (child.name === 'hr' && isAtEdge) child.dropped = true
    } else if (child.name === 'address' && !isImprint(linesOf([child]))) isAtEdge = false
    else if (namesHeading(child.name)) {
      if (isBelow) return true
      isAtEdge = false
    } else {
      if (isBelow && child.name === 'ul' && isUnderHeading(children, at)) return true
      const text = child.textLength < LONGEST_BAR && !PARTS.has(child.name) ? linesOf([child]) : null
      if (text !== null && ((mayHoldLink(child) && isBar(text)) || (isBelow && isEndOfPage(text, children, at)))) {
        child.dropped = true
        isAtEdge = true
      } else if (
        !child.hasBlock ||
        PARTS.has(child.name) ||
        (child.name === 'table' && child.textLength < layout) ||
        dropBars(child, layout, isBelow)
      )
        return true
    }
  }
  return false
}

/** Is the element directly above a heading, as above a list of indexes? Then the list is a section of the text. */
function isUnderHeading(children: readonly TreeNode[], at: number): boolean {
  for (let above = at - 1; above >= 0; above--) {
    const node = children[above]!
    if (node instanceof ElementNode && !node.dropped) return namesHeading(node.name)
    if (node instanceof TextNode && node.data.trim() !== '') return false
  }
  return false
}

/** Elements that belong to the text, whatever the words of their links. */
const PARTS = new Set(['pre', 'dl', 'blockquote', 'ol', 'figure', 'details'])

/** Consecutive inline nodes, in document order. */
function runFrom(children: readonly TreeNode[], from: number, step: 1 | -1): TreeNode[] {
  let end = from
  while (end + step >= 0 && end + step < children.length && isInline(children[end + step]!)) end += step
  return children.slice(Math.min(from, end), Math.max(from, end) + 1)
}

function leaveOut(node: TreeNode): void {
  if (node instanceof TextNode) node.data = ''
  else node.dropped = true
}

/** `nodes`: how many were read; `isLong`: too long to be a bar, so not read completely. */
type Lines = { links: { text: string; rel: string }[]; outside: string; isLong: boolean; nodes: number }

/** A bar has fewer nodes. Nested boxes are read again on each level: without a limit, an empty tree would cost depth × size. */
const MOST_NODES = 500

/** The texts of links, including their pictures, and the text outside of them. */
function linesOf(nodes: readonly TreeNode[]): Lines {
  const lines: Lines = { links: [], outside: '', isLong: false, nodes: 0 }
  readLines(nodes, null, lines)
  return lines
}

function readLines(nodes: readonly TreeNode[], link: { text: string } | null, lines: Lines): void {
  for (const node of nodes) {
    if (++lines.nodes > MOST_NODES) lines.isLong = true
    if (lines.isLong) return
    if (node instanceof TextNode) {
      if (link === null) lines.outside += ` ${node.data}`
      else link.text += node.data
    } else if (!node.dropped && !node.tag.silent) {
      if (node.name === 'img' && link !== null) link.text += ` ${attributeOf(node, 'alt') ?? ''} `
      if (node.name === 'a' && attributeOf(node, 'href') !== undefined) {
        const inside = { text: '', rel: attributeOf(node, 'rel') ?? '' }
        readLines(node.children, inside, lines)
        lines.links.push(inside)
      } else readLines(node.children, link, lines)
    }
  }
}

/**
 * Is it navigation of a manual? Then the text outside its links consists of such words alone, and a direction stands before or after a link
 * (`Next: Strings`), as an arrow, or in most of the links themselves.
 */
function isBar({ links, outside, isLong }: Lines): boolean {
  if (isLong || links.length === 0 || outside.length > 2 * LONGEST_BAR || !saysOnly(outside)) return false
  // With an arrow or a label, links may also be chapter numbers and site names.
  if (LABEL.test(outside)) return true
  let ways = 0
  let named = 0
  let numbered = 0
  let leads = false
  for (const { text, rel } of links) {
    if (text.length > LONGEST_BAR) return false
    const isArrow = ARROW.test(text)
    if (isArrow || (text.trim() !== '' && saysOnly(text)) || LEADS.test(rel)) ways++
    if (/\p{L}/u.test(text) && saysOnly(text)) named++
    else if (/^\s*\d+\s*$/.test(text)) numbered++
    leads ||= isArrow || LEADS.test(rel) || LABEL.test(text)
  }
  if (leads) return ways * 2 >= links.length
  // Numbers of chapters or pages: `Goto chapter: 1 2 3`.
  return named + numbered === links.length && links.length > 1 && (named > 0 || /\p{L}/u.test(outside))
}

function saysOnly(text: string): boolean {
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) if (!WAYS.has(word)) return false
  return true
}

/** A generator's imprint, or a line with a copyright that no heading announces. */
const isEndOfPage = (text: Lines, children: readonly TreeNode[], at: number): boolean =>
  isImprint(text) || (isCopyright(text) && !isUnderHeading(children, at))

/** The owner of a copyright, and the years: `© 2003-2023 The team, Manual 8.2`. */
function isCopyright({ links, outside, isLong }: Lines): boolean {
  return !isLong && links.length < 3 && outside.length < LONGEST_IMPRINT && COPYRIGHT.test(outside)
}
const COPYRIGHT = /^\s*(?:©|copyright(?:\s*(?:©|\(c\)))?)\s*(?:19|20)\d\d\b/i

/** A generator's imprint: `Generated on … by …`. */
function isImprint({ links, outside, isLong }: Lines): boolean {
  const text = outside.trim()
  return !isLong && links.length < 3 && text.length < LONGEST_IMPRINT && IMPRINT.test(text)
}

const IMPRINT =
  /^[^\p{L}\p{N}]*(?:(?:this|the) (?:document|page|manual|file|translation)\b.{0,60}\b(?:was|is) (?:\w+ )?(?:generated|created|produced|translated|built)|(?:generated|created|produced) (?:on|by|at|with|using|from)\b|documentation generated)/isu

/** Words for directions in manuals and archives of mail, in the languages that manuals are most translated to, and of Javadoc's and Doxygen's bars. */
const WAYS = new Set(
  (
    'next previous prev up top down home back forward first last start begin end contents content index toc table of main menu page pages chapter section level node nodes book bib ind return to the go goto in and ' +
    'overview module package class use tree deprecated help new search frames frame no all classes summary nested inner field constr constructor method detail required optional element enum constants a ' +
    'date thread threads by message messages sorted subject author indexes es ' +
    'modules namespaces hierarchy compound list members member functions file files source related directories examples ' +
    'weiter zurück nächste nächstes vorherige vorheriges nach oben hoch zum anfang inhalt inhaltsverzeichnis seite kapitel ' +
    'suivant suivante précédent précédente sommaire haut niveau supérieur accueil retour table des matières index page ' +
    'siguiente anterior subir arriba índice inicio contenido próximo próxima acima conteúdo voltar avanti indietro successivo precedente su inizio sommario indice ' +
    'dalej wstecz następny poprzedni spis treści začátek další předchozí nahoru obsah далее назад вперёд вверх наверх след пред содержание оглавление начало ' +
    '次 次へ 前 前へ 戻る 上 上へ 目次 索引 下一页 上一页 下一章 上一章 上一级 目录 首页 起始页 다음 이전 위로 차례 목차 처음'
  ).split(' '),
)
const LABEL =
  /(?:^|[^\p{L}])(?:next|prev(?:ious)?|up|weiter|zurück|nächste[rs]?|suivante?|précédente?|siguiente|anterior|próxim[oa]|avanti|indietro|successivo|precedente|dalej|wstecz|další|předchozí|далее|назад|вперёд|次へ?|前へ?|下一[页章]|上一[页章]|다음|이전)(?:[^\p{L}]|$)/iu
const ARROW = /^[^\p{L}\p{N}]*(?:<+|>+|«|»|‹|›|←|→|↑|⇐|⇒|⇑)[^\p{L}\p{N}]*(?:$|\p{L})|\p{L}[^\p{L}\p{N}]*(?:>+|»|›|→|⇒)\s*$/u
const LEADS = /(?:^|\s)(?:next|prev|previous|up|contents|index|start|first|last)(?:\s|$)/i
