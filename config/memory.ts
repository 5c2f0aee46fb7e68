import { totalmem } from 'node:os'

/** The memory of this machine, or of its container if that may use less. */
export const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)
