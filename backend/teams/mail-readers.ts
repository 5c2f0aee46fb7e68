/** Who reads the mails about a team. */
import { isLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import type { Rows } from '#backend/platform/database/database.ts'

export type MailReader = { email: string; language: Language | null }

/**
 * The given user if that user is still a member of the team, else the team's owners.
 *
 * @param userId  null for the owners
 */
export async function mailReaders(rows: Rows, teamId: string, userId: string | null = null): Promise<MailReader[]> {
  const members = await rows
    .selectFrom('teamMember')
    .innerJoin('user', 'user.id', 'teamMember.userId')
    .where('teamMember.teamId', '=', teamId)
    .where((of) => of.or([of.eb('teamMember.isOwner', '=', 1), of.eb('teamMember.userId', '=', userId ?? '')]))
    .select(['teamMember.userId', 'user.email', 'user.language'])
    .execute()
  const chosen = members.filter((member) => member.userId === userId)
  return (chosen.length > 0 ? chosen : members).map(({ email, language }) => ({ email, language: isLanguage(language) ? language : null }))
}
