import { ONE, THE, THIS } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const theWasDeleted = (noun: Noun) => `${THE[noun]} wurde gelöscht`
export const wereDeleted = (base: string | number) => `${base} wurden gelöscht`
export const deleteThis = (noun: Noun) => `${THIS[noun]} löschen?`
export const deleteSeveralQuestion = (base: string | number) => `${base} löschen?`
export const deleteOne = (noun: Noun) => `${ONE[noun]} löschen`
export const deleteSeveral = (base: string | number) => `${base} löschen`
export const itIsStillRunningAndIs = 'Der Auftrag läuft noch und wird vorher abgebrochen. '
export const ofThemAreStillRunningAnd = (running: string | number) => `${running} davon laufen noch und werden vorher abgebrochen. `
export const thisDeletesLinksToItStop = (holds: string | number) => `Gelöscht werden ${holds}. Links darauf funktionieren dann nicht mehr.`
export const thisDeletesThemWithLinksTo = (holds: string | number) =>
  `Gelöscht werden die Aufträge und ${holds}. Links darauf funktionieren dann nicht mehr.`
export const theCreditsThatWereUsedStay = ' Die verbrauchten Credits bleiben in der Abrechnung.'
export const thisCannotBeUndone = ' Das lässt sich nicht rückgängig machen.'
