import { Parser } from 'htmlparser2'

/** Deeper elements become siblings of their parents: every later walk may then be a plain recursion. */
const MAX_DEPTH = 512
const MAX_NODES = 500_000
const MAX_ATTRIBUTES = 200
const MAX_ATTRIBUTE_LENGTH = 65_536

/** What an element name means for reading. */
export type Tag = {
  /** Starts a line of its own. */
  block: boolean
  /** Neither it nor what is inside belongs to the tree: scripts, styles, templates, drawings. */
  dead: boolean
  /** Stays in the tree, shows no text: form controls, embedded frames and media. */
  silent: boolean
  /** White space inside counts. */
  pre: boolean
  /** The listener wants to hear of it. */
  heard: boolean
}

const PLAIN: Tag = { block: false, dead: false, silent: false, pre: false, heard: false }
const TAGS = new Map<string, Tag>()
mark(
  'block',
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset',
)
mark('block', 'h1 h2 h3 h4 h5 h6 head header hgroup hr html li listing main menu nav ol p plaintext pre search section summary ul xmp')
mark('block', 'table caption colgroup col tbody td tfoot th thead tr')
mark('pre', 'pre listing xmp plaintext')
mark('dead', 'script style noscript template svg meta link base title')
mark(
  'silent',
  'button select option optgroup datalist textarea input iframe object embed applet canvas video audio map progress meter noembed noframes frame',
)
mark('heard', 'a area base frame html img link meta title')

function mark(trait: keyof Tag, names: string) {
  for (const name of names.split(' ')) TAGS.set(name, { ...(TAGS.get(name) ?? PLAIN), [trait]: true })
}

export class TextNode {
  data: string
  parent: ElementNode
  constructor(data: string, parent: ElementNode) {
    this.data = data
    this.parent = parent
  }
}

export class ElementNode {
  name: string
  tag: Tag
  parent: ElementNode | null
  /** Names and values in turn; a repeated name counts once, the first time. */
  attributes: string[] | null = null
  children: TreeNode[] = []
  /** A block stands somewhere inside. */
  hasBlock = false
  /** Left out of what is written. */
  dropped = false
  /** Characters that are not white space, in all and inside links. */
  textLength = 0
  linkLength = 0
  /** Characters of running text inside: see `main-content.ts`. */
  prose = 0
  constructor(name: string, tag: Tag, parent: ElementNode | null) {
    this.name = name
    this.tag = tag
    this.parent = parent
  }
}

export type TreeNode = ElementNode | TextNode

/** Hears, while the tree grows, of what needs no second walk: links, their texts, and metadata. */
export type TreeListener = {
  /** The start tag of a `heard` element is complete; `hidden` inside templates and drawings. */
  opened(element: ElementNode, hidden: boolean): void
  /** The innermost open link ended. */
  linkClosed(): void
  /** Text inside a link. */
  linkText(text: string): void
  /** Text of a `<title>` outside drawings. */
  titleText(text: string): void
}

export function attributeOf(element: ElementNode, name: string): string | undefined {
  const attributes = element.attributes
  if (attributes !== null) for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1]
  return undefined
}

/**
 * Parses HTML once into a lean tree without scripts, styles, templates, drawings and comments.
 *
 * Never throws and never runs deep: nesting is cut at 512, nodes at 500,000. Every element knows how much text it holds, and how much of it in links.
 */
export function growTree(html: string, listener: TreeListener): ElementNode {
  const root = new ElementNode('#root', { ...PLAIN, block: true }, null)
  let current = root
  // The start tag whose attributes are still coming in.
  let fresh: ElementNode | null = null
  let depth = 0
  let overflow = 0
  let nodes = 0
  let deadDepth = 0
  let silentDepth = 0
  let preDepth = 0
  let inLink = false
  let inTitle = false

  const parser = new Parser({ onopentagname, onattribute, ontext, onclosetag })
  parser.end(html)
  return root

  function onopentagname(name: string) {
    if (fresh !== null) begin(fresh)
    fresh = new ElementNode(name, TAGS.get(name) ?? PLAIN, current)
  }

  function onattribute(name: string, value: string) {
    if (fresh === null) return
    const attributes = (fresh.attributes ??= [])
    if (attributes.length >= MAX_ATTRIBUTES * 2) return
    for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return
    attributes.push(name, value.length > MAX_ATTRIBUTE_LENGTH ? value.slice(0, MAX_ATTRIBUTE_LENGTH) : value)
  }

  function begin(element: ElementNode) {
    fresh = null
    const { tag } = element
    const parent = element.parent!
    if (tag.heard) {
      listener.opened(element, deadDepth > 0)
      if (element.name === 'a') inLink = true
      else if (element.name === 'title') inTitle = deadDepth === 0
    }
    if (!tag.dead && deadDepth === 0 && nodes < MAX_NODES) {
      nodes++
      parent.children.push(element)
    }
    if (depth >= MAX_DEPTH) {
      // Counted, so that its end tag closes nothing else.
      overflow++
      return
    }
    depth++
    if (tag.dead) deadDepth++
    else if (tag.silent) silentDepth++
    else if (tag.pre) preDepth++
    current = element
  }

  function ontext(data: string) {
    if (fresh !== null) begin(fresh)
    if (deadDepth > 0) {
      if (inTitle) listener.titleText(data)
      return
    }
    const length = visibleLength(data)
    const siblings = current.children
    const last = siblings.length > 0 ? siblings[siblings.length - 1] : undefined
    if (length === 0 && preDepth === 0) {
      // White space only: one space is enough, and none after a block.
      if (last === undefined || (last instanceof ElementNode && last.tag.block)) return
      data = ' '
    }
    if (last instanceof TextNode) last.data += data
    else if (nodes < MAX_NODES) {
      nodes++
      siblings.push(new TextNode(data, current))
    }
    if (silentDepth > 0) return
    current.textLength += length
    if (inLink) {
      current.linkLength += length
      listener.linkText(data)
    }
  }

  function onclosetag(name: string) {
    if (fresh !== null) begin(fresh)
    if (overflow > 0) {
      overflow--
      if (name === 'a') closeLink()
      return
    }
    const element = current
    const { tag } = element
    const parent = element.parent
    if (parent === null) return
    if (tag.dead) {
      deadDepth--
      if (name === 'title') inTitle = false
    } else if (tag.silent) silentDepth--
    else {
      if (tag.pre) preDepth--
      if (name === 'a') closeLink()
      parent.textLength += element.textLength
      parent.linkLength += element.linkLength
      if (tag.block || element.hasBlock) parent.hasBlock = true
    }
    depth--
    current = parent
  }

  function closeLink() {
    inLink = false
    listener.linkClosed()
  }
}

/** Characters of a text that are not white space. */
function visibleLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 32 && code !== 0xa0) length++
  }
  return length
}
