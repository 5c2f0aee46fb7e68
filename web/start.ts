/**
 * The script that the HTML loads. It evaluates the app after the first paint of the HTML (`frame/layout/first-paint.ts`), so that the app
 * does not delay that paint, and in two tasks, so that a slow phone can handle input in between. The app's files download meanwhile.
 */

/**
 * Shows the start time of a run before the API has answered. A run's id contains the time; the HTML has the text (`data-started`) and a
 * pattern that finds the time in the URL (`data-id`). This code imports nothing, since an import would delay the first paint.
 */
function showStartTime(line: HTMLElement) {
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

document.querySelectorAll<HTMLElement>('#first-paint [data-started]').forEach(showStartTime)

// A tab in the background never paints, so requestAnimationFrame would not run.
if (document.visibilityState === 'hidden') void start()
else requestAnimationFrame(() => setTimeout(() => void start()))
