import { THIS } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const thisBelongsTo = (noun: Noun, name: string) => `${THIS[noun]} hat das Team ${name} gestartet`
export const switchTo = (name: string) => `Zu ${name} wechseln`
export const switchToThatTeam = 'Wechsle zu diesem Team, um das Ergebnis zu sehen. Über den Team-Umschalter kommst du zurück.'
export const itMayBeDeletedBelongTo = 'Vielleicht wurde der Auftrag gelöscht, gehört zu einem anderen Team, oder die URL ist unvollständig.'
