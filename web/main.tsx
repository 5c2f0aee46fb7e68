/** Mounts the app. */
import './state/trusted-types.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isBelow } from './navigation.ts'
import { basePath } from './state/runtime-config.ts'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
const { hash, pathname, search } = window.location
// Opened without the proxy's base path: redirect to it, because all our URLs have it.
if (!isBelow(basePath, pathname)) window.location.replace(basePath + pathname + search + hash)
else
  // Rendered in slices, between which a slow phone can handle input.
  startTransition(() =>
    createRoot(place).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
