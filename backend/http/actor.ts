/** Who is calling, and the team acted for. */
import type { Access } from '#contract/endpoint.ts'

/** A signed-in user. */
export type UserActor = { userId: string }
/** A signed-in user who acts for one of their teams. */
export type MemberActor = { userId: string; teamId: string }
/** Whoever acts for a team: one of its members in one of their sessions, or one of its API keys. */
export type TeamActor =
  | { teamId: string; userId: string; sessionId: string; apiKeyId: null }
  | { teamId: string; userId: null; sessionId: null; apiKeyId: string }

/** What `route` hands to a handler; nobody is known where anybody may call. */
export type ActorOf<A extends Access> = A extends 'user'
  ? UserActor
  : A extends 'user+team'
    ? MemberActor
    : A extends 'team'
      ? TeamActor
      : null

export type Actor = ActorOf<Access>
