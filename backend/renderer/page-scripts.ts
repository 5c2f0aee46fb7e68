/**
 * Scripts that run in the page, as text, in an isolated world. They share only the document with the page's scripts, and take its methods
 * from their prototypes, because elements with names can shadow them.
 */

/** What scrolls: the document, and the largest box with a scrollbar in the middle of the window, where applications have their pages. */
const SCROLLERS = `(() => {
  const inMiddle = new Set()
  const look = (root) => {
    for (const element of root.elementsFromPoint(innerWidth / 2, innerHeight / 2)) {
      if (inMiddle.has(element)) continue
      inMiddle.add(element)
      if (element.shadowRoot !== null) look(element.shadowRoot)
    }
  }
  look(document)
  const page = document.scrollingElement ?? document.documentElement
  const sizeOf = (element) => element.clientWidth * element.clientHeight
  const [box] = [...inMiddle]
    .filter((element) => element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
  return box === undefined || box === page ? [page] : [page, box]
})()`

/**
 * Scrolls once through the page, so that lazy content loads, and back to the top. Waits at each position for a painted frame, because only
 * then the page learns what is in view, or for 200 ms if none is painted. Without the smooth scrolling that a style may ask for, which would not
 * have got anywhere until the next step.
 */
export const SCROLL_THROUGH = `(async () => {
  for (const root of ${SCROLLERS}) {
    const step = Math.max(200, root.clientHeight)
    for (let at = step, steps = 0; at < root.scrollHeight && steps < 30; at += step, steps += 1) {
      root.scrollTo({ top: at, behavior: 'instant' })
      await new Promise((resolve) => {
        setTimeout(resolve, 200)
        requestAnimationFrame(() => setTimeout(resolve, 10))
      })
    }
    root.scrollTo({ top: 0, behavior: 'instant' })
  }
})()`

/** Scrolls to the end of the page. */
export const SCROLL_TO_END = `{ for (const root of ${SCROLLERS}) root.scrollTo({ top: root.scrollHeight, behavior: 'instant' }) }`

/**
 * Serialises the document as HTML, with the content of open shadow roots in its place and what their slots show in the slots. Elements that
 * no slot shows stay, since they may be tabs; bare text stays only if the component shows no other, such as a time in other words.
 *
 * It changes nothing in the document: a component that is moved may empty itself or begin anew. It copies into a document without scripts.
 *
 * @param most  characters; `{ tooLarge }` for more
 * @param url   by which the document was requested: if scripts have changed the folder of its address since, the relative links of the page
 *   begin there, and a `base` says so
 */
export const READ_DOCUMENT = (most: number, url: string): string => `(() => {
  const reads = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name)
    return (of) => get.call(of)
  }
  const childrenOf = reads(Node, 'childNodes')
  const shadowOf = reads(Element, 'shadowRoot')
  const slotOf = { 1: reads(Element, 'assignedSlot'), 3: reads(Text, 'assignedSlot') }
  const isVisible = (element) => Element.prototype.checkVisibility.call(element)
  const innerTextOf = reads(HTMLElement, 'innerText')
  const shownIn = (node) => node instanceof Text ? node.data : node instanceof HTMLElement && isVisible(node) ? innerTextOf(node) : ''
  const inert = new DOMParser().parseFromString('', 'text/html')
  const add = (parent, child) => Node.prototype.appendChild.call(parent, child)
  const contentOf = (element, shadow) => {
    const children = [...childrenOf(element)]
    if (shadow !== null) {
      const isSaidOtherwise = [...childrenOf(shadow)].some((child) => shownIn(child).trim() !== '')
      const isLeft = (child) => slotOf[child.nodeType]?.(child) === null && !(child instanceof Text && isSaidOtherwise)
      return [...childrenOf(shadow), ...children.filter(isLeft)]
    }
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : []
    return assigned.length > 0 ? assigned : children
  }
  const copyOf = (root) => {
    const copy = inert.importNode(root, false)
    const todo = [[root, copy]]
    while (todo.length > 0) {
      const [element, made] = todo.pop()
      const shadow = shadowOf(element)
      const isBlock = shadow !== null && !/^(?:inline|contents)/.test(getComputedStyle(element).display)
      const into = isBlock ? add(made, inert.createElement('div')) : made
      for (const child of contentOf(element, shadow)) {
        const one = add(into, inert.importNode(child, false))
        if (child instanceof Element) todo.push([child, one])
      }
    }
    return copy
  }
  const root = reads(Document, 'documentElement')(document)
  const all = Document.prototype.querySelectorAll.call(document, '*')
  const read = [...all].some((element) => shadowOf(element) !== null) ? copyOf(root) : root
  const withBase = (html) => {
    const head = Document.prototype.querySelector.call(document, 'head')
    const folderOf = (address) => new URL('.', address).href
    if (head === null || Document.prototype.querySelector.call(document, 'base[href]') !== null) return html
    if (!/^https?:/.test(location.href) || folderOf(location.href) === folderOf(${JSON.stringify(url)})) return html
    const base = inert.createElement('base')
    base.href = folderOf(location.href)
    const [tag] = inert.importNode(head, false).outerHTML.split('</head>')
    return html.replace(tag, () => tag + base.outerHTML)
  }
  const html = read === null ? '' : withBase(reads(Element, 'outerHTML')(read))
  return html.length > ${most} ? { tooLarge: html.length } : { html: '<!doctype html>' + html }
})()`

/** A quiet page with less text gets more time: its scripts may be waiting for something other than a request. */
const LEAST_TEXT = 200

/** Waits until the page shows some text, also in components, at most so many milliseconds. */
export const AWAIT_TEXT = (mostMs: number): string => `(async () => {
  const lengthOf = (root) => {
    let length = 0
    for (const child of root.children) if (child.checkVisibility()) length += child.innerText?.trim().length ?? 0
    if (length < ${LEAST_TEXT}) for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot instanceof ShadowRoot) length += lengthOf(shadowRoot)
    return length
  }
  const until = Date.now() + ${mostMs}
  while (lengthOf(document) < ${LEAST_TEXT} && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
})()`

/** Waits until the page's scripts are idle for a moment, at most so many milliseconds. Source: W3C requestIdleCallback, 4. */
export const AWAIT_REST = (mostMs: number): string =>
  `new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: ${mostMs} }))`

/**
 * Runs before the page's own scripts, in their world. It answers dialogs at once. It opens closed shadow roots, which the reader could not
 * read. It keeps the page from going back to the empty page before it, which a person's tab does not have. And it cancels navigations that
 * the gate would refuse: only here that does not end the parsing of the document, which would lose the text behind the script.
 */
export const BEFORE_PAGE = `{
  const answers = { alert: undefined, confirm: false, prompt: null, print: undefined }
  for (const name of Object.keys(answers)) globalThis[name] = () => answers[name]
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (options) {
    return attachShadow.call(this, options?.mode === 'closed' ? { ...options, mode: 'open' } : options)
  }
  const { HTMLFormElement, History, URL, location, navigation } = globalThis
  const { back, go } = History.prototype
  const isThere = (delta) => navigation.entries()[(navigation.currentEntry?.index ?? 0) + delta] !== undefined
  History.prototype.back = function () {
    if (isThere(-1)) back.call(this)
  }
  History.prototype.go = function (delta) {
    if (isThere(Number(delta) | 0)) go.call(this, delta)
  }
  if (globalThis === globalThis.top) navigation.addEventListener('navigate', (event) => {
    const { origin, protocol } = new URL(event.destination.url)
    const isOwn = /^https?:$/.test(protocol) ? origin === location.origin : /^(?:about|blob|data):$/.test(protocol)
    // A form has ended the parsing before it is asked; the gate then tells Chromium that the page has stopped loading.
    const isForm = event.formData !== null || event.sourceElement instanceof HTMLFormElement || event.sourceElement?.form != null
    if (!isOwn && !isForm && event.cancelable) event.preventDefault()
  })
}`
