/** Whose request or run the present work belongs to, for platform code whose callers do not say. */
import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Does the work, and everything that it starts, for a share. */
export const workingFor = <T>(share: string, work: () => T): T => current.run(share, work)

/** The share that the work is for; empty for work of the product itself. */
export const currentShare = (): string => current.getStore() ?? ''
