/** Where the screen for a failing start links to. Pure. */
import type { RuntimeConfig } from '#contract/settings.ts'

/** The operator's guide, or the section of the project's own. */
export function troubleshootingUrl({ guideUrl, repository }: Pick<RuntimeConfig, 'guideUrl' | 'repository'>): string {
  const section = `https://github.com/${repository || 'seine-crawler/seine'}/blob/main/docs/self-hosting.md#troubleshooting`
  const isOwn = guideUrl === '' || section.startsWith(`${guideUrl}#`)
  return isOwn ? section : guideUrl
}
