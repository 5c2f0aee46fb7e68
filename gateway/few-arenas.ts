/** Reduces the memory of child processes. */
import { availableParallelism } from 'node:os'

/**
 * Limits the malloc arenas of child processes (`MALLOC_ARENA_MAX`, which glibc reads at start): by default each helper thread has its own
 * arena, which keeps memory that the thread has freed. Measured on two cores, 6,000 pages: the engine took at most 176 instead of 190 MiB, the
 * indexer 55 instead of 70, at the same speed. A value set by the operator wins.
 *
 * @param environment  of this process, which its children get
 */
export function giveChildrenFewArenas(environment: NodeJS.ProcessEnv): void {
  environment['MALLOC_ARENA_MAX'] ??= String(Math.max(1, availableParallelism() >> 1))
}
