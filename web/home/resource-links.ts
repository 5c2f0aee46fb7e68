/** Links to documentation and contacts; those without a URL in this installation are left out. Pure. */
import type { RuntimeConfig } from '#contract/settings.ts'
import { PATHS } from '#web/navigation.ts'
import * as t from '#texts/home.ts'

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
      { name: 'reference', label: t.apiDocumentation, href: PATHS.apiReference, external: false },
      ...outside('guides', t.developerGuides, guideUrl),
      ...outside('examples', t.codeExamples, below('/tree/HEAD/docs')),
      ...outside('discussions', t.discussions, below('/discussions')),
      ...outside('bugs', t.bugReports, below('/issues')),
    ],
    quick: [
      ...outside('documentation', t.fullDocumentation, guideUrl),
      ...outside('repository', t.repository, code),
      ...outside('support', t.support, supportEmail === '' ? '' : `mailto:${supportEmail}`),
    ],
  }
}
