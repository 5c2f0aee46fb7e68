/** Turns of callers, for work of the API: a task that is refused because too many wait throws `unavailable`. */
import { AppError } from '#backend/errors.ts'
import { createRoundRobin } from '#backend/platform/round-robin.ts'

type Limits = Omit<Parameters<typeof createRoundRobin>[0], 'refusal'>

export const createRoundRobinLimit = (limits: Limits) => createRoundRobin({ ...limits, refusal: () => new AppError('unavailable') })
