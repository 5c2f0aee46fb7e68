import { Link } from 'wouter'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { Card, CardFoot, CardHead } from '#web/ui/card.tsx'
import { BookIcon, BracesIcon, BugIcon, DiscussionIcon, ExternalIcon, FileIcon, LinkIcon, MailIcon, StarIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/home.ts'
import { resources } from './resource-links.ts'
import type { Resource, ResourceName } from './resource-links.ts'

const ICONS: Record<ResourceName, Icon> = {
  reference: BookIcon,
  guides: FileIcon,
  examples: BracesIcon,
  discussions: DiscussionIcon,
  bugs: BugIcon,
  documentation: LinkIcon,
  repository: StarIcon,
  support: MailIcon,
}

/** Links to documentation and contacts. */
export function ResourcesCard() {
  const { cards, quick } = resources(runtimeConfig)
  return (
    <Card>
      <CardHead title={t.resources} />
      <ul className="grid gap-1 p-2 sm:grid-cols-2">
        {cards.map((card) => (
          <li key={card.name} className="min-w-0">
            <Place place={card} className="flex h-9 items-center gap-2.5 rounded-control px-2 text-soft hover:bg-hover hover:text-ink" />
          </li>
        ))}
      </ul>
      {quick.length > 0 && (
        <CardFoot className="flex-wrap gap-x-5 gap-y-2">
          {quick.map((link) => (
            <Place
              key={link.name}
              place={link}
              className="flex items-center gap-1.5 rounded-small text-table text-soft hover:text-ink hover:underline"
            />
          ))}
        </CardFoot>
      )}
    </Card>
  )
}

function Place({ place: { name, label, href, external }, className }: { place: Resource; className: string }) {
  const Icon = ICONS[name]
  const inside = (
    <>
      <Icon className="text-faint" />
      <span className="min-w-0 truncate">{label}</span>
      {external && !href.startsWith('mailto:') && <ExternalIcon className="size-3 text-faint" />}
    </>
  )
  if (!external)
    return (
      <Link href={href} className={className}>
        {inside}
      </Link>
    )
  return (
    <a href={href} className={className} {...(href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' })}>
      {inside}
    </a>
  )
}
