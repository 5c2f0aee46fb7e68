/**
 * What the HTML loads. The app is evaluated once the browser has painted what the HTML itself shows (`frame/layout/first-paint.ts`), else
 * the first paint waits for it, and in two tasks, so that a slow phone answers between them. Its files are on their way meanwhile.
 */

/**
 * Says of a run when it began, before the answer that names it has come: in what the HTML shows stand the words and where the id has the
 * time. Nothing is imported for it, as the first paint would wait for that.
 */
function sayBegun(line: HTMLElement) {
  const { id = '', started = '' } = line.dataset
  const [, first, second] = new RegExp(id).exec(window.location.pathname) ?? []
  if (first === undefined) return
  const { format } = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' })
  const said = line.cloneNode() as HTMLElement
  said.textContent = started.replace('%begun%', () => format(Number.parseInt(`${first}${second}`, 16)))
  line.replaceWith(said)
}

async function start() {
  await import('react-dom/client')
  await new Promise((next) => setTimeout(next))
  await import('./main.tsx')
}

document.querySelectorAll<HTMLElement>('#first-paint [data-started]').forEach(sayBegun)

// A tab in the background paints nothing, and has nobody waiting.
if (document.visibilityState === 'hidden') void start()
else requestAnimationFrame(() => setTimeout(() => void start()))
