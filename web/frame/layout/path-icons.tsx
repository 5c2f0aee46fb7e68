import type { PathName } from '#web/navigation.ts'
import {
  BookIcon,
  ChartIcon,
  CrawlIcon,
  DashboardIcon,
  KeyIcon,
  ProfileIcon,
  SearchIcon,
  SettingsIcon,
  SitemapIcon,
} from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'

/** The icon of each screen. */
export const PATH_ICONS: Partial<Record<PathName, Icon>> = {
  dashboard: DashboardIcon,
  crawl: CrawlIcon,
  search: SearchIcon,
  sitemap: SitemapIcon,
  usage: ChartIcon,
  apiKeys: KeyIcon,
  settings: SettingsIcon,
  profile: ProfileIcon,
  apiReference: BookIcon,
}
