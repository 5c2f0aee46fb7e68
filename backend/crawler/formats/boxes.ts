/** Recognises boxes of documentation generators by their classes and roles: notes and warnings, tabs, and code without <pre>. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { holds, namesHeading } from '#backend/crawler/html/tree-text.ts'

/** `note`: a box with a title; `panel`: one of several tabs; `tabs`: their names; `tabset`: around both; `label`: the name of a part that unfolds below it; `code`: around a block of code; `lines`: code, each line in an element; `diagram`: code of a drawing; `signature` and `fields`: tables of Doxygen; `table`: one without `table`. */
export type Box = 'signature' | 'fields' | 'table' | 'note' | 'panel' | 'tabs' | 'tabset' | 'label' | 'code' | 'lines' | 'diagram' | 'none'

/**
 * Sphinx, MkDocs and mdBook, AsciiDoc, Docusaurus, VitePress, Rspress, GitHub, Starlight, mdBook, Hugo themes, MDN, Confluence; further class
 * names say the kind.
 */
const NOTE =
  /(?:^|\s)(?:admonition|admonitionblock|theme-admonition|custom-block|markdown-alert|starlight-aside|blockquote-tag|book-hint|notices|notecard|callout|confluence-information-macro|alert|hint|pageinfo|deprecation-block|hint-container|gdoc-hint|nextra-callout|rspress-directive)(?=\s|$)/
/** DocBook, rustdoc, mdBook, Doxygen, older manuals: one class name says the kind. */
const KIND_ALONE = /^(?:section |docbook )?(?:note|tip|important|warning|caution|danger|attention|remark|deprecated)$/
const KIND =
  /(?:^|[\s_-])(note|tip|hint|info|important|warning|caution|danger|attention|error|remark|success|example|question|bug|deprecated|deprecation|seealso|todo)(?=[\s_-]|$)/
/** Pop-up texts have the classes of notes in manuals; without a kind such a box is not a note. */
const NEEDS_KIND = /(?:^|\s)(?:alert|hint|callout|pageinfo|rspress-directive)(?=\s|$)/
const PANEL = /(?:^|\s)(?:tab-pane|tabbed-block|book-tabs-content|sd-tab-content|tabpanel|sphinx-tabs-panel|md-tabbed-content)(?=\s|$)/
const TABS = /(?:^|\s)(?:tabbed-labels|nav-tabs|tablist)(?=\s|$)/
const TABSET = /(?:^|\s)(?:tabbed-set|book-tabs|sd-tab-set|vp-code-group|tabs-container)(?=\s|$)/
/** Parameters, template parameters, return values and exceptions of Doxygen. */
const FIELDS = /^(?:params|tparams|retval|exception)$/
const CODE = /(?:^|\s)(?:language|highlight)-\S/
const TABLE_ROLES = new Set(['table', 'grid', 'treegrid'])
/** Tables of Javadoc. */
const TABLE = /^(?:summary|details)-table(?=\s|$)/

const boxes = new Map<string, Box>()
const MAX_BOXES = 5000

/** Most classes name no box, so the result for each class is cached. */
export function boxOf(element: ElementNode): Box {
  const attributes = element.attributes
  let label = ''
  for (let at = 0; attributes !== null && at < attributes.length; at += 2) {
    const name = attributes[at]!
    if (name === 'class') label = attributes[at + 1]!
    else if (name === 'role') {
      if (attributes[at + 1] === 'tabpanel') return 'panel'
      if (attributes[at + 1] === 'tablist') return isAccordion(element) ? 'none' : 'tabs'
      if (attributes[at + 1] === 'tab' && accordionAround(element) !== null) return 'label'
      if (TABLE_ROLES.has(attributes[at + 1]!) && element.name !== 'table') return 'table'
    } else if (name === 'data-callout') return 'note'
  }
  if (label === '') return 'none'
  let box = boxes.get(label)
  if (box === undefined) {
    box = boxOfLabel(label)
    if (boxes.size >= MAX_BOXES) boxes.clear()
    if (label.length < 300) boxes.set(label, box)
  }
  if (box === 'none') return 'none'
  if (box === 'tabs') return isAccordion(element) ? 'none' : 'tabs'
  // Some headings have the class `deprecated`.
  if (box === 'note') return namesHeading(element.name) || holdsNoteOnly(element) ? 'none' : 'note'
  // JSDoc's tables of this class have column headings.
  if (box === 'fields') return holds(element, 'th') ? 'none' : 'fields'
  if (box === 'lines') return element.tag.pre && linesOf(element) !== null ? 'lines' : 'none'
  // A script that draws it writes the drawing into the same element.
  if (box === 'diagram') return element.tag.pre && !element.hasBlock ? 'diagram' : 'none'
  return box === 'code' && isGroupedCode(element) ? 'panel' : box
}

/**
 * Does a list of tabs contain their panels, too? Accordions of Bootstrap 3, jQuery UI and Elementor have this role, and each of their tabs
 * stands above its panel. Elsewhere the list has only names.
 */
function isAccordion(list: ElementNode): boolean {
  let isOne = accordions.get(list)
  if (isOne === undefined) accordions.set(list, (isOne = list.prose >= LEAST_PANEL || holdsPanel(list, MOST_LEVELS)))
  return isOne
}
const accordions = new WeakMap<ElementNode, boolean>()
const LEAST_PANEL = 40
const MOST_LEVELS = 4

function holdsPanel(element: ElementNode, levels: number): boolean {
  if (levels === 0) return false
  return element.children.some(
    (child) => child instanceof ElementNode && (attributeOf(child, 'role') === 'tabpanel' || holdsPanel(child, levels - 1)),
  )
}

/** The accordion around one of its tabs or panels. */
export function accordionAround(part: ElementNode): ElementNode | null {
  let around = part.parent
  for (let level = 0; level < MOST_LEVELS && around !== null; level++, around = around.parent)
    if (attributeOf(around, 'role') === 'tablist') return isAccordion(around) ? around : null
  return null
}

function boxOfLabel(label: string): Box {
  const wanted = label.trim()
  if (wanted === 'fragment') return 'lines'
  if (wanted === 'mermaid') return 'diagram'
  if (wanted === 'memname') return 'signature'
  if (FIELDS.test(wanted)) return 'fields'
  if (TABLE.test(wanted)) return 'table'
  if (PANEL.test(label)) return 'panel'
  if (TABS.test(label)) return 'tabs'
  if (TABSET.test(label)) return 'tabset'
  if (KIND_ALONE.test(wanted)) return 'note'
  if (NOTE.test(label)) return NEEDS_KIND.test(label) && !KIND.test(label) ? 'none' : 'note'
  return CODE.test(label) ? 'code' : 'none'
}

/** VitePress: the blocks of a group have their names in a row above them. */
function isGroupedCode(element: ElementNode): boolean {
  const parent = element.parent
  if (parent === null || attributeOf(parent, 'class') !== 'blocks' || parent.parent === null) return false
  return (attributeOf(parent.parent, 'class') ?? '').includes('code-group')
}

/** A box inside a box of the same kind. */
function holdsNoteOnly(element: ElementNode): boolean {
  const shown = element.children.filter((child) =>
    child instanceof TextNode ? child.data.trim() !== '' : !child.dropped && child.textLength > 0,
  )
  const [only] = shown
  return shown.length === 1 && only instanceof ElementNode && only.name !== 'table' && boxOf(only) === 'note'
}

/**
 * The lines of code that Doxygen writes as <div class="fragment"> with a <div class="line"> per line, some in a part that folds; null for
 * other elements: slides use the class `fragment` too. Hover cards of names follow the lines.
 */
export function linesOf(element: ElementNode): ElementNode[] | null {
  const lines: ElementNode[] = []
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const name = child.name === 'div' ? attributeOf(child, 'class') : undefined
    if (name === 'line') lines.push(child)
    else if (name === 'foldopen') {
      const inside = linesOf(child)
      if (inside === null) return null
      for (const line of inside) lines.push(line)
    } else if (name !== 'ttc') return null
  }
  return lines.length === 0 ? null : lines
}

// ---- notes

const NOTE_TITLE =
  /(?:^|\s)(?:admonition-title|admonition-heading|admonition-header|hint-container-title|gdoc-hint__title|callout-header|callout-heading|admonitionHeading\S*|admonition_header|custom-block-title|rspress-directive-title|markdown-alert-title|starlight-aside__title|blockquote-tag-title|alert-heading|callout-title|box-label|title|deprecated-label)(?=\s|$)/
const MAX_TITLE_SEARCH = 30

/** The element with the title of a note, and the English kind for notes whose title is a picture. */
export function noteTitle(note: ElementNode): { element: ElementNode | null; kind: string } {
  let left = MAX_TITLE_SEARCH
  // In `book-hint warning` and `hint hint-info` the first word is the theme's name for all notes.
  const label = `${attributeOf(note, 'data-callout') ?? ''} ${attributeOf(note, 'class') ?? ''}`
  const kind = KIND.exec(label.replace(/\b(?:book-|gdoc-)?hint(?:-container)?\b/g, ''))?.[1] ?? KIND.exec(label)?.[1] ?? 'note'
  const element = search(note)
  const said = element === null ? kindSaid(note) : null
  return {
    element: element ?? said?.element ?? null,
    kind: said !== null ? '' : (kind === 'seealso' ? 'see also' : kind).replace(/^./, (letter) => letter.toUpperCase()),
  }

  function search(element: ElementNode): ElementNode | null {
    for (const child of element.children) {
      if (child instanceof TextNode) {
        // An element after a text is not the title of that text.
        if (child.data.trim() !== '') return null
        continue
      }
      if (--left < 0) return null
      if (child.dropped || child.textLength === 0) continue
      if (NOTE_TITLE.test(attributeOf(child, 'class') ?? '') || /^(?:h[1-6]|summary|dt|th)$/.test(child.name)) return child
      if (child.name === 'p' || child.tag.pre) return null
      const found = search(child)
      if (found !== null) return found
      if (child.name !== 'td') return null
    }
    return null
  }
}

const KIND_SAID = /^(?:note|tip|hint|info|information|important|warning|caution|danger|attention|remark|deprecated|see also)\s*[:.!]?$/i

/**
 * Does a note begin with the word for its kind? An element with only that word is its title; an element with further text stays where it
 * is.
 */
function kindSaid(note: ElementNode): { element: ElementNode | null } | null {
  let at: ElementNode = note
  for (let depth = 0; depth < 6; depth++) {
    const first = at.children.find((child) =>
      child instanceof TextNode ? child.data.trim() !== '' : !child.dropped && child.textLength > 0,
    )
    if (first === undefined) return null
    if (first instanceof ElementNode) {
      at = first
      continue
    }
    if (!KIND_SAID.test(first.data.trim())) return null
    while (at.parent !== null && at.parent !== note && at.parent.textLength === at.textLength) at = at.parent
    return { element: at !== note && (at.tag.block || at.parent === note) ? at : null }
  }
  return null
}

// ---- tabs

/** An element inside a set of tabs that contains only names of tabs. */
export function tabRows(set: ElementNode): ElementNode[] {
  return set.children.filter(
    (child) => child instanceof ElementNode && (child.name === 'label' || namesIn(child).length > 0),
  ) as ElementNode[]
}

/** Finds the names of tabs. Searches the page once, at the first tab. */
export class TabNames {
  #byId: Map<string, ElementNode> | null = null
  /** Elements that show another element, by its id. */
  readonly #controls = new Map<string, ElementNode>()

  /** The element that names a panel: by its id, or by its position. */
  of(panel: ElementNode): ElementNode | null {
    if (this.#byId === null) this.#index(panel)
    const labelled = attributeOf(panel, 'aria-labelledby')?.trim().split(/\s/, 1)[0]
    const named = labelled === undefined ? undefined : this.#byId!.get(labelled)
    if (named !== undefined) return named
    const id = attributeOf(panel, 'id')
    const control = id === undefined ? undefined : this.#controls.get(id)
    if (control !== undefined) return control
    return labelBefore(panel) ?? byPlace(panel)
  }

  #index(start: ElementNode): void {
    let root = start
    while (root.parent !== null) root = root.parent
    const byId = (this.#byId = new Map<string, ElementNode>())
    const controls = this.#controls
    look(root)

    function look(element: ElementNode) {
      for (const child of element.children) {
        if (child instanceof TextNode) continue
        for (let at = 0; child.attributes !== null && at < child.attributes.length; at += 2) {
          const name = child.attributes[at]!
          const value = child.attributes[at + 1]!
          if (name === 'id') {
            if (!byId.has(value)) byId.set(value, child)
          } else if (CONTROLS.has(name) && attributeOf(child, 'role') === 'tab' && value !== '')
            controls.set(value.replace(/^#/, ''), child)
          else if (name === 'data-bs-target' || name === 'data-target') controls.set(value.replace(/^#/, ''), child)
          else if (name === 'data-toggle' && value === 'tab') controls.set((attributeOf(child, 'href') ?? '').replace(/^#/, ''), child)
        }
        look(child)
      }
    }
  }
}

const CONTROLS = new Set(['aria-controls', 'href', 'for'])
const MAX_PANELS = 50

/** sphinx-design, older MkDocs: the name precedes each panel. */
function labelBefore(panel: ElementNode): ElementNode | null {
  const siblings = panel.parent?.children ?? []
  if (siblings.length > 4 * MAX_PANELS) return null
  for (let at = siblings.indexOf(panel) - 1; at >= 0; at--) {
    const before = siblings[at]!
    if (before instanceof ElementNode) return before.name === 'label' ? before : null
  }
  return null
}

function byPlace(panel: ElementNode): ElementNode | null {
  const parent = panel.parent
  if (parent === null || parent.children.length > 4 * MAX_PANELS) return null
  const panels = parent.children.filter((child) => child instanceof ElementNode && boxOf(child) === 'panel')
  let around: ElementNode | null = parent
  for (let levels = 0; around !== null && levels < 3; around = around.parent, levels++)
    for (const child of around.children.slice(0, MAX_PANELS)) {
      if (child instanceof TextNode || child === parent) continue
      const names = namesIn(child)
      if (names.length === panels.length) return names[panels.indexOf(panel)]!
    }
  return null
}

/** The tabs of a row: its children, or one in each child. */
function namesIn(row: ElementNode): ElementNode[] {
  if (row.children.length > 4 * MAX_PANELS) return []
  let children = elementsIn(row)
  const isRow =
    boxOf(row) === 'tabs' || attributeOf(row, 'class') === 'tabs' || children.some((child) => attributeOf(child, 'role') === 'tab')
  if (!isRow) return []
  // AsciiDoc: a list within the row.
  while (children.length === 1 && (children[0]!.name === 'ul' || children[0]!.name === 'div')) children = elementsIn(children[0]!)
  return children
}

function elementsIn(element: ElementNode): ElementNode[] {
  return element.children.filter((child) => child instanceof ElementNode && child.name !== 'input') as ElementNode[]
}

const HIDDEN_LABEL = /(?:^|\s)(?:hideme|sr-only|visually-hidden|screen-reader-text)(?:\s|$)/

/** Is the label of a collapsible part hidden? */
export function isHiddenLabel(summary: ElementNode): boolean {
  return HIDDEN_LABEL.test(attributeOf(summary, 'class') ?? '')
}
