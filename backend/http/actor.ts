/** The caller, and the team they act for. */
import type { Access } from '#contract/endpoint.ts'

/** A signed-in user. */
type UserActor = { userId: string }
/** A signed-in user who acts for one of their teams. */
export type MemberActor = { userId: string; teamId: string }
/**
 * A caller who acts for a team: a member with a session, or an API key.
 *
 * @property share  whose part of scarce resources the team uses, the same for all teams of an owner
 */
export type TeamActor = { teamId: string; share: string } & (
  { userId: string; sessionId: string; apiKeyId: null } | { userId: null; sessionId: null; apiKeyId: string }
)

/** What `route` passes to a handler; null at public endpoints. */
export type ActorOf<A extends Access> = A extends 'user'
  ? UserActor
  : A extends 'user+team'
    ? MemberActor
    : A extends 'team'
      ? TeamActor
      : null

export type Actor = ActorOf<Access>
