/** Processes that this one starts are to hold little memory. */
import { availableParallelism } from 'node:os'

/**
 * Gives child processes few pools of the C library's memory (`MALLOC_ARENA_MAX`, read by glibc at their start): with one for each helper
 * thread, each keeps what its thread has let go. Measured on two cores, 6,000 pages: the engine took at most 176 instead of 190 MiB, the
 * indexer 55 instead of 70, at the same speed. What the operator has set counts.
 *
 * @param environment  of this process, which its children get
 */
export function giveChildrenFewArenas(environment: NodeJS.ProcessEnv): void {
  environment['MALLOC_ARENA_MAX'] ??= String(Math.max(1, availableParallelism() >> 1))
}
