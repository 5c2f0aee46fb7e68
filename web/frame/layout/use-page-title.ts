import { useEffect, useLayoutEffect } from 'react'
import { runtimeConfig } from '#web/state/runtime-config.ts'

/** Names the page in the browser's tab and history: "Crawl · Seine". It is named anew when `place` changes. */
export function usePageTitle(title: string | undefined, place?: string): void {
  useLayoutEffect(() => name([title]), [title, place])
}

/** Names the content of a screen before the screen: "docs.example · Crawl Details · Seine". Effects run after layout effects, so this title wins. */
export function useContentTitle(content: string | undefined, title: string): void {
  useEffect(() => name([content, title]), [content, title])
}

function name(parts: readonly (string | undefined)[]): void {
  document.title = [...parts, runtimeConfig.productName].filter(Boolean).join(' · ')
}
