/**
 * What runs in the page, as text, in a world of its own. Nothing of the page's own scripts reaches it but the document, whose methods are
 * taken from their prototypes: elements with names can stand before them.
 */

/**
 * Scrolls once through the page, so that what loads when it comes into view is loaded, and back to its top. Each place stays for a frame that
 * was drawn, since it is then that the page is told what is in view, or for 200 ms where none is drawn.
 */
export const SCROLL_THROUGH = `(async () => {
  const root = document.scrollingElement ?? document.documentElement
  const step = Math.max(200, innerHeight)
  for (let at = step, steps = 0; at < root.scrollHeight && steps < 30; at += step, steps += 1) {
    scrollTo(0, at)
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
      requestAnimationFrame(() => setTimeout(resolve, 10))
    })
  }
  scrollTo(0, 0)
})()`

/**
 * The document as HTML, with what open shadow roots show in the place where they show it.
 *
 * @param most  characters; `{ tooLarge }` for more
 */
export const READ_DOCUMENT = (most: number): string => `(() => {
  const all = (root) => (root instanceof Document ? Document : root instanceof ShadowRoot ? ShadowRoot : DocumentFragment).prototype.querySelectorAll.call(root, '*')
  const open = (root, depth) => {
    for (const host of all(root)) {
      const shadow = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get.call(host)
      if (shadow === null || depth > 20) continue
      open(shadow, depth + 1)
      const shown = document.createElement('div')
      shown.append(...shadow.childNodes)
      Element.prototype.prepend.call(host, shown)
    }
  }
  open(document, 0)
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document)
  const html = root === null ? '' : Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML').get.call(root)
  return html.length > ${most} ? { tooLarge: html.length } : { html: '<!doctype html>' + html }
})()`

/** Without so many characters a page that is quiet is asked again: its scripts may wait for something that is no request. */
const LEAST_TEXT = 200

/** Waits until the page shows something to read, at most so many milliseconds. */
export const AWAIT_TEXT = (mostMs: number): string => `(async () => {
  const until = Date.now() + ${mostMs}
  while ((document.body?.innerText?.trim().length ?? 0) < ${LEAST_TEXT} && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
})()`

/** Waits until the page's scripts leave a moment without work, at most so many milliseconds. Source: W3C requestIdleCallback, 4. */
export const AWAIT_REST = (mostMs: number): string =>
  `new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: ${mostMs} }))`

/** Before the page's own scripts, in their world: dialogs are answered at once and windows are not opened, however many are asked for. */
export const NO_DIALOGS = `{
  const answers = { alert: undefined, confirm: false, prompt: null, print: undefined, open: null }
  for (const name of Object.keys(answers)) globalThis[name] = () => answers[name]
}`
