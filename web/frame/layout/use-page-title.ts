import { useEffect, useLayoutEffect } from 'react'
import { runtimeConfig } from '#web/state/runtime-config.ts'

/** Sets the title of the browser's tab and history entry: "Crawl · Seine". Sets it again when `place` changes. */
export function usePageTitle(title: string | undefined, place?: string): void {
  useLayoutEffect(() => name([title]), [title, place])
}

/** Sets "docs.example · Crawl Details · Seine" as the title. This effect runs after the layout effect of `usePageTitle`, so it wins. */
export function useContentTitle(content: string | undefined, title: string): void {
  useEffect(() => name([content, title]), [content, title])
}

function name(parts: readonly (string | undefined)[]): void {
  document.title = [...parts, runtimeConfig.productName].filter(Boolean).join(' · ')
}
