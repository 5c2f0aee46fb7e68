import type { Noun } from '../nouns.ts'
export const thisBelongsTo = (noun: Noun, name: string) => `This ${noun} belongs to ${name}`
export const switchTo = (name: string) => `Switch to ${name}`
export const itIsShownOnceYouAct = 'It is shown once you act for that team; the team selector leads back.'
export const itMayBeDeletedBelongTo = 'It may be deleted, belong to another team, or its address is not complete.'
