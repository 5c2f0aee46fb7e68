/** Where help is to be found. What has no address in this installation is left out. Pure. */
import type { RuntimeConfig } from '#contract/settings.ts'
import { PATHS } from '#web/navigation.ts'

export type ResourceName = 'reference' | 'guides' | 'examples' | 'discussions' | 'bugs' | 'documentation' | 'repository' | 'support'
export type Resource = { name: ResourceName; label: string; href: string; external: boolean }

type Places = Pick<RuntimeConfig, 'guideUrl' | 'repository' | 'supportEmail'>

/** Cards first, then the quick links below them. */
export function resources({ guideUrl, repository, supportEmail }: Places): { cards: Resource[]; quick: Resource[] } {
  const code = repository === '' ? '' : `https://github.com/${repository}`
  const outside = (name: ResourceName, label: string, href: string): Resource[] =>
    href === '' ? [] : [{ name, label, href, external: true }]
  const below = (path: string) => (code === '' ? '' : code + path)
  return {
    cards: [
      { name: 'reference', label: 'API documentation', href: PATHS.apiReference, external: false },
      ...outside('guides', 'Developer guides', guideUrl),
      ...outside('examples', 'Code examples', below('/tree/HEAD/docs')),
      ...outside('discussions', 'Discussions', below('/discussions')),
      ...outside('bugs', 'Bug reports', below('/issues')),
    ],
    quick: [
      ...outside('documentation', 'Full documentation', guideUrl),
      ...outside('repository', 'Repository', code),
      ...outside('support', 'Support', supportEmail === '' ? '' : `mailto:${supportEmail}`),
    ],
  }
}
