/**
 * The first steps after the installation. The team's data tick them off; the list disappears when all are done or the user dismisses it.
 */
import { useState } from 'react'
import { Link } from 'wouter'
import { listCrawls } from '#contract/crawls.ts'
import { listApiKeys, listInvitations, listMembers } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { CircleCheckIcon, CircleDashedIcon } from '#web/ui/icons.tsx'
import { isNoted, noteStep } from '#web/state/steps-taken.ts'
import * as t from '#texts/home.ts'

/** The name of every team's first key. */
const FIRST_KEY = 'Default'

export function FirstSteps() {
  const [isOver, setOver] = useState(() => isNoted('over'))
  return isOver ? null : (
    <Steps
      onOver={() => {
        noteStep('over')
        setOver(true)
      }}
    />
  )
}

function Steps({ onOver }: { onOver: () => void }) {
  const asked = [
    useEndpoint(listCrawls, { query: { page_size: 1 } }),
    useEndpoint(listApiKeys, { query: { page_size: 100 } }),
    useEndpoint(listMembers),
    useEndpoint(listInvitations),
  ] as const
  const [{ data: crawls }, { data: keys }, { data: members }, { data: invitations }] = asked
  if (asked.some(({ data, error }) => error && !data)) return null
  // Wait until all data is known, or the ticks would appear one by one. The list's height is reserved, so that nothing below moves.
  const isKnown = Boolean(crawls && keys && members && invitations)
  const steps = [
    { title: t.crawlASite, says: t.aUrlAndOneClick, href: PATHS.crawl, isDone: (crawls?.count ?? 0) > 0 },
    { title: t.readAPage, says: t.openACrawlAndOneOf, href: PATHS.crawlLogs, isDone: isNoted('read') },
    {
      title: t.makeAKey,
      says: t.forYourOwnProgram,
      href: PATHS.apiKeys,
      isDone: keys?.results.some(({ name }) => name !== FIRST_KEY),
    },
    {
      title: t.callTheAPI,
      says: t.withAnExampleFromTheReference,
      href: PATHS.apiReference,
      isDone: keys?.results.some((key) => key.last_used_at !== null),
    },
    {
      title: t.inviteAColleague,
      says: t.inTheSettingsOfTheTeam,
      href: PATHS.settings,
      isDone: (members?.count ?? 0) > 1 || (invitations?.length ?? 0) > 0,
    },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Card>
      <CardHead title={t.firstSteps}>
        <span className="num text-label text-faint">{isKnown && t.ofText(done, steps.length)}</span>
        <Button look="quiet" size="small" onClick={onOver}>
          {isKnown && done === steps.length ? t.done : t.dismiss}
        </Button>
      </CardHead>
      <ol aria-label={t.firstSteps} className="grid gap-px overflow-hidden rounded-b-card bg-line sm:grid-cols-2 xl:grid-cols-5">
        {steps
          .map(({ isDone: isTicked, ...step }) => ({ ...step, isDone: isKnown && isTicked === true }))
          .map(({ title, says, href, isDone }) => (
            <li key={title} className="bg-surface sm:max-xl:last:odd:col-span-2">
              <Link href={href} className="flex h-full items-start gap-2.5 p-4 hover:bg-hover">
                {isDone ? <CircleCheckIcon className="mt-0.5 text-success" /> : <CircleDashedIcon className="mt-0.5 text-faint" />}
                <span className="min-w-0">
                  <span className={cx('block font-medium', isDone && 'text-soft')}>
                    {title}
                    {isDone && <span className="sr-only"> {t.doneInBrackets}</span>}
                  </span>
                  <span className="block text-table text-soft">{says}</span>
                </span>
              </Link>
            </li>
          ))}
      </ol>
    </Card>
  )
}
