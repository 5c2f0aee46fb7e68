import type { Noun } from '../nouns.ts'
export const thisBelongsTo = (noun: Noun, name: string) => `This ${noun} belongs to ${name}`
export const switchTo = (name: string) => `Switch to ${name}`
export const switchToThatTeam = 'Switch to that team to see it. The team selector switches back.'
export const itMayBeDeletedBelongTo = 'It may be deleted, belong to another team, or its URL is not complete.'
