/** Puts the app into the page. */
import './state/trusted-types.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isBelow } from './navigation.ts'
import { basePath } from './state/runtime-config.ts'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
const { hash, pathname, search } = window.location
// Opened past the proxy, where the server answers without the path that people use: every address of ours has it.
if (!isBelow(basePath, pathname)) window.location.replace(basePath + pathname + search + hash)
else
  // In slices, between which a slow phone still answers.
  startTransition(() =>
    createRoot(place).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
