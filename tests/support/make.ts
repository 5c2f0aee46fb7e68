/** Rows with valid defaults. */
import { createPasswords } from '#backend/accounts/passwords.ts'
import { userRow } from '#backend/accounts/users.ts'
import type { Backend } from '#backend/compose.ts'
import { createIds } from '#backend/platform/ids.ts'

const newId = createIds(Date.now)

/** Creates a user without a team, like a registration. Returns the id. */
export async function makeUser(
  { database }: Pick<Backend, 'database'>,
  { email, password, emailVerified = true }: { email: string; password: string; emailVerified?: boolean },
): Promise<string> {
  const passwordHash = await createPasswords({ cost: { memoryKiB: 8, passes: 1 } }).hash(password)
  const id = newId()
  await database.insertInto('user').values(userRow({ id, email, passwordHash, emailVerified }, Date.now())).execute()
  return id
}

/** Makes a user a member of a team that is not theirs. */
export async function addMember(
  { database }: Pick<Backend, 'database'>,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  await database.insertInto('teamMember').values({ id: newId(), teamId, userId, isOwner: 0, createdAt: Date.now() }).execute()
}
