/** Puts the app into the page. */
import './state/trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
