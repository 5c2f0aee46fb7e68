/**
 * What the HTML loads. The app is evaluated once the browser has painted what the HTML itself shows (`frame/layout/first-paint.ts`), else
 * the first paint waits for it, and in two tasks, so that a slow phone answers between them. Its files are on their way meanwhile.
 */
async function start() {
  await import('react-dom/client')
  await new Promise((next) => setTimeout(next))
  await import('./main.tsx')
}

// A tab in the background paints nothing, and has nobody waiting.
if (document.visibilityState === 'hidden') void start()
else requestAnimationFrame(() => setTimeout(() => void start()))
