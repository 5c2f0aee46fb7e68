/** Monitors: schedules that clients of this API make. Schedules of our own API are not shown here, because their options differ. */
import type { AskedNotification, AskedTimes, Monitor, MonitorBody, MonitorChanges } from '#contract/firecrawl/monitors.ts'
import { isTerminal } from '#contract/runs.ts'
import { AppError } from '#backend/errors.ts'
import type { NewSchedule, ScheduleRow, Schedules } from '#backend/schedules/schedules.ts'
import { badRequest, Refused } from './errors.ts'
import { isId } from './jobs.ts'
import type { MonitorChecks } from './monitor-checks.ts'
import { NO_WEBHOOK } from './monitor-target.ts'
import type { ReadTargets, StoredTarget } from './monitor-target.ts'
import { cronOf } from './schedule-text.ts'
import { isoOrNull } from './status.ts'

export type MonitorNeeds = {
  checks: MonitorChecks
  /** All members of a team. */
  membersOf: (teamId: string) => Promise<{ userId: string; email: string }[]>
  readTargets: ReadTargets
  /** After how many days the team's crawls are deleted; null: never. */
  retentionDaysOf: (teamId: string) => Promise<number | null>
  schedules: Pick<Schedules, 'change' | 'create' | 'isMonitor' | 'listMonitors' | 'monitorOf' | 'read' | 'remove'>
}

type Answer = { data: Monitor; warnings: string[] }

/** The number for a team whose crawls are never deleted: a hundred years. */
const NEVER_DAYS = 36_500

export function createMonitors({ checks, membersOf, readTargets, retentionDaysOf, schedules }: MonitorNeeds) {
  return { list, read, rowOf, create, change, remove }

  /** The newest first. */
  async function list(teamId: string, window: { limit: number; offset: number }): Promise<Monitor[]> {
    const monitors: Monitor[] = []
    for (const row of await schedules.listMonitors(teamId, window)) {
      const monitor = await presentOrNull(row)
      if (monitor !== null) monitors.push(monitor)
    }
    return monitors
  }

  /** Throws 404 for a monitor of another team. */
  async function read(teamId: string, id: string): Promise<Answer> {
    const row = await rowOf(teamId, id)
    const warnings = row.problemText === null ? [] : [`The last planned check did not start: ${row.problemText}`]
    return { data: await present(row), warnings }
  }

  async function rowOf(teamId: string, id: string): Promise<ScheduleRow> {
    if (!isId(id)) throw badRequest('Invalid monitor ID.')
    const row = await schedules.read(teamId, id).catch(unknown)
    if (!(await schedules.isMonitor(row))) throw new Refused(404, NOT_FOUND)
    return row
  }

  async function create(teamId: string, userId: string | null, body: MonitorBody): Promise<Answer> {
    const cron = cronOf(body.schedule)
    const { settings, warnings } = await settingsOf(teamId, body)
    const { repeated, warnings: ofTarget } = await readTargets(teamId, body.targets)
    const row = await schedules.create(teamId, userId, {
      name: body.name,
      cron,
      timezone: body.schedule.timezone ?? 'UTC',
      is_active: true,
      mail_changes: false,
      ...settings,
      repeated,
    })
    return { data: await present(row), warnings: [...ofTarget, ...warnings] }
  }

  async function change(teamId: string, id: string, body: MonitorChanges): Promise<Answer> {
    await rowOf(teamId, id)
    const times = body.schedule && timesOf(body.schedule)
    const { settings, warnings } = await settingsOf(teamId, body)
    const target = body.targets === undefined ? null : await readTargets(teamId, body.targets)
    const row = await schedules
      .change(teamId, id, {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.status !== undefined && { is_active: body.status === 'active' }),
        ...times,
        ...settings,
        ...(target !== null && { repeated: target.repeated }),
      })
      .catch(unknown)
    return { data: await present(row), warnings: [...(target?.warnings ?? []), ...warnings] }
  }

  async function remove(teamId: string, id: string): Promise<void> {
    await rowOf(teamId, id)
    await schedules.remove(teamId, id).catch(unknown)
  }

  /** Who gets mails. Refuses what no monitor here has. */
  async function settingsOf(
    teamId: string,
    { goal, judgeEnabled, notification, retentionDays, webhook }: Omit<MonitorChanges, 'status' | 'targets'>,
  ): Promise<{ settings: Partial<Pick<NewSchedule, 'mail_changes' | 'mailTo'>>; warnings: string[] }> {
    if (webhook !== undefined && webhook !== null) throw badRequest(`webhook: ${NO_WEBHOOK}`)
    if (goal?.trim()) throw badRequest(`goal: ${NO_JUDGE}`)
    if (judgeEnabled === true) throw badRequest(`judgeEnabled: ${NO_JUDGE}`)
    if (retentionDays !== undefined && retentionDays !== null) await checkRetention(teamId, retentionDays)
    if (notification === undefined) return { settings: {}, warnings: [] }
    const email = notification?.email ?? null
    if (email === null) return { settings: { mail_changes: false, mailTo: null }, warnings: [] }
    const warnings = email.includeDiffs === true ? ['notification.email.includeDiffs has no effect: mails have the numbers of pages.'] : []
    return { settings: { mail_changes: email.enabled !== false, mailTo: await recipientIds(teamId, email) }, warnings }
  }

  async function checkRetention(teamId: string, asked: number): Promise<void> {
    const days = (await retentionDaysOf(teamId)) ?? NEVER_DAYS
    if (asked === days) return
    const kept = days === NEVER_DAYS ? 'until they are deleted by hand' : `for ${days} ${days === 1 ? 'day' : 'days'}`
    throw badRequest(
      `retentionDays: your team keeps its crawls ${kept}, and a monitor cannot differ. Omit this field, or change the team's settings.`,
    )
  }

  /** Null without recipients. Throws the refusal for one that is not a member of the team. */
  async function recipientIds(teamId: string, { recipients = [] }: NonNullable<AskedNotification['email']>): Promise<string[] | null> {
    if (recipients.length === 0) return null
    const members = new Map((await membersOf(teamId)).map(({ email, userId }) => [email.toLowerCase(), userId]))
    const strangers = recipients.filter((email) => !members.has(email.trim().toLowerCase()))
    if (strangers.length > 0)
      throw badRequest(
        `notification.email.recipients: only members of your team get mails. Not a member: ${strangers.slice(0, 5).join(', ').slice(0, 300)}`,
      )
    return [...new Set(recipients.map((email) => members.get(email.trim().toLowerCase())!))]
  }

  async function present(row: ScheduleRow): Promise<Monitor> {
    const monitor = await presentOrNull(row)
    if (monitor === null) throw new Refused(404, NOT_FOUND)
    return monitor
  }

  /** Null for one that was deleted meanwhile, or whose crawl our own API has replaced. */
  async function presentOrNull(row: ScheduleRow): Promise<Monitor | null> {
    const target = await schedules.monitorOf(row)
    if (target === null) return null
    const newest = await checks.newest(row.id)
    const recipients = await emailsOf(row)
    return {
      id: row.id,
      name: row.name,
      status: row.isActive === 1 ? 'active' : 'paused',
      schedule: { cron: row.cron, timezone: row.timezone },
      nextRunAt: isoOrNull(row.nextAt),
      lastRunAt: isoOrNull(newest?.createdAt ?? null),
      currentCheckId: newest !== null && !isTerminal(newest.status) ? newest.id : null,
      targets: [{ id: row.id, ...(JSON.parse(target) as StoredTarget) }],
      webhook: null,
      notification: { email: { enabled: row.mailChanges === 1, recipients, includeDiffs: false } },
      ...(recipients.length > 0 && {
        emailRecipientSubscriptions: recipients.map((email) => ({ email, status: 'confirmed' as const, source: 'team' as const })),
      }),
      retentionDays: (await retentionDaysOf(row.teamId)) ?? NEVER_DAYS,
      estimatedCreditsPerMonth: null,
      lastCheckSummary: await checks.lastSummary(row.id),
      goal: null,
      judgeEnabled: false,
      createdAt: new Date(row.createdAt).toISOString(),
      updatedAt: new Date(row.updatedAt).toISOString(),
    }
  }

  /** The recipients who are still members. */
  async function emailsOf({ mailTo, teamId }: ScheduleRow): Promise<string[]> {
    if (mailTo === null) return []
    const wanted = JSON.parse(mailTo) as string[]
    return (await membersOf(teamId)).flatMap(({ email, userId }) => (wanted.includes(userId) ? [email] : []))
  }
}

export type Monitors = ReturnType<typeof createMonitors>

const NO_JUDGE = 'a monitor reports every change of a page; no language model judges it. Omit this field.'

/** A change of the times that names no time zone keeps the one before. */
const timesOf = (schedule: AskedTimes) => ({
  cron: cronOf(schedule),
  ...(schedule.timezone !== undefined && { timezone: schedule.timezone }),
})

const NOT_FOUND = 'Monitor not found.'

/** The refusal for a monitor that the team does not have; other errors as they are. */
function unknown(error: unknown): never {
  throw error instanceof AppError && error.code === 'not_found' ? new Refused(404, NOT_FOUND) : error
}
