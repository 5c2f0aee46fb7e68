import type { Noun } from '../nouns.ts'
export const theCouldNotBeLoaded = (noun: Noun) => `The ${noun} could not be loaded`
export const nothingIsLostItIsLoaded = 'Nothing is lost; it is loaded as soon as the server answers.'
export const loadingThe = (noun: Noun) => `Loading the ${noun}`
export const deleteText = 'Delete'
