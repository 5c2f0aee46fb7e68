import type { Noun } from '../nouns.ts'
export const theWasDeleted = (noun: Noun) => `The ${noun} was deleted`
export const wereDeleted = (base: string | number) => `${base} were deleted`
export const deleteThis = (noun: Noun) => `Delete this ${noun}?`
export const deleteSeveralQuestion = (base: string | number) => `Delete ${base}?`
export const deleteOne = (noun: Noun) => `Delete ${noun}`
export const deleteSeveral = (base: string | number) => `Delete ${base}`
export const itIsStillRunningAndIs = 'It is still running and is canceled first. '
export const ofThemAreStillRunningAnd = (running: string | number) => `${running} of them are still running and are canceled first. `
export const thisDeletesLinksToItStop = (holds: string | number) => `This deletes ${holds}. Links to it stop working.`
export const thisDeletesThemWithLinksTo = (holds: string | number) => `This deletes them with ${holds}. Links to them stop working.`
export const theCreditsThatWereUsedStay = ' The credits that were used stay in the ledger.'
export const thisCannotBeUndone = ' This cannot be undone.'
