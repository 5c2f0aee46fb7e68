/** What to do after the server has answered the request for a plan. Pure. */
import * as t from '#texts/plans.ts'

export type ActivationOutcome =
  { ok: true; answer: { redirect_url?: string } | undefined } | { ok: false; error: { status: number; said: string } }

export type ActivationStep = { kind: 'leave'; url: string } | { kind: 'activated'; message: string } | { kind: 'refused'; message: string }

/** `said` is the server's message, '' without one. */
export function afterActivation(outcome: ActivationOutcome): ActivationStep {
  if (!outcome.ok) {
    const { status, said } = outcome.error
    if (status !== 403) return { kind: 'refused', message: t.failedToCreateSubscription }
    return { kind: 'refused', message: said || t.youDoNotHavePermissionTo }
  }
  const url = outcome.answer?.redirect_url
  return url ? { kind: 'leave', url } : { kind: 'activated', message: t.planCreatedSuccessfully }
}
