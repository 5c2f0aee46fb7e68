export type SiteConfig = {
  port: number
  pages: number
  hosts: number
  seed: number
  kb: number
  fanout: number
  branch: number
  variants: number
}
export function siteConfig(changes?: Partial<SiteConfig>): SiteConfig
export function origin(config: SiteConfig, host: number): string
export function pageMarker(config: SiteConfig, id: number): string
export function pagePath(config: SiteConfig, id: number): string
