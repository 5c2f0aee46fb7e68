/** Mounts the app. */
import './state/trusted-types.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isBelow } from './navigation.ts'
import { basePath } from './state/runtime-config.ts'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no element with the id app')
const { hash, pathname, search } = window.location
// The page was opened without the proxy's base path, which all our URLs contain: redirect.
if (!isBelow(basePath, pathname)) window.location.replace(basePath + pathname + search + hash)
else {
  // A transition renders in slices, between which a slow phone can handle input.
  startTransition(() =>
    createRoot(place).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
  // Nobody needs it before the first screen, and users of a mouse never need it.
  import('./frame/layout/keep-focus.ts').then(
    ({ keepFocus }) => keepFocus(),
    (cause: unknown) => console.warn('the keeper of the focus could not be loaded', cause),
  )
}
