import { useEffect } from 'react'
import { runtimeConfig } from '#web/state/runtime-config.ts'

/** Names the page in the browser's tab and history: "Crawl · Seine". */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${runtimeConfig.productName}` : runtimeConfig.productName
  }, [title])
}
