/** What this browser remembers of the first steps: a page was read (`read`); the list was dismissed or completed (`over`). */
import { browserStorage, keep } from './browser-storage.ts'

const STEPS = { read: 'first_steps_read', over: 'first_steps_over' } as const
type Step = keyof typeof STEPS

const storage = browserStorage()

export const isNoted = (step: Step): boolean => storage.getItem(STEPS[step]) !== null

export function noteStep(step: Step): void {
  if (!isNoted(step)) keep(storage, STEPS[step], 'yes')
}
