/** Who reads the mails about a team. */
import { isLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import type { Rows } from '#backend/platform/database/database.ts'

type MailReader = { email: string; language: Language | null }

/** Those of the given users who are still members of the team, else the team's owners. */
export async function mailReaders(rows: Rows, teamId: string, userIds: readonly string[] = []): Promise<MailReader[]> {
  const members = await rows
    .selectFrom('teamMember')
    .innerJoin('user', 'user.id', 'teamMember.userId')
    .where('teamMember.teamId', '=', teamId)
    .where((of) => of.or([of.eb('teamMember.isOwner', '=', 1), of.eb('teamMember.userId', 'in', ['', ...userIds])]))
    .select(['teamMember.userId', 'user.email', 'user.language'])
    .execute()
  const chosen = members.filter((member) => userIds.includes(member.userId))
  return (chosen.length > 0 ? chosen : members).map(({ email, language }) => ({ email, language: isLanguage(language) ? language : null }))
}

/** All members of a team with their mail addresses. */
export function membersWithMail(rows: Rows, teamId: string): Promise<{ userId: string; email: string }[]> {
  return rows
    .selectFrom('teamMember')
    .innerJoin('user', 'user.id', 'teamMember.userId')
    .where('teamMember.teamId', '=', teamId)
    .select(['teamMember.userId', 'user.email'])
    .execute()
}
