import type { Noun } from '../nouns.ts'
export const theCouldNotBeLoaded = (noun: Noun) => `The ${noun} could not be loaded`
export const nothingIsLostItComesBack = 'Nothing is lost; it comes back with the connection.'
export const loadingThe = (noun: Noun) => `Loading the ${noun}`
export const deleteText = 'Delete'
