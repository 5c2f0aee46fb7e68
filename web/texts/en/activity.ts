import type { Noun } from '../nouns.ts'
export const deleteText = 'Delete'
export const listCouldNotBeLoaded = (nouns: string | number) => `The ${nouns} could not be loaded`
export const nothingIsLostTheyAreLoaded = 'Nothing is lost; they are loaded as soon as the server answers.'
export const loading = (nouns: string | number) => `Loading ${nouns}`
export const filters = 'Filters'
export const status = 'Status'
export const statusAll = 'Status: All'
export const type = 'Type'
export const typeAny = 'Type: Any'
export const createdFrom = 'Created from'
export const from = 'From'
export const createdUntil = 'Created until'
export const until = 'Until'
export const clear = 'Clear'
export const nothingMatchesTheFilter = 'Nothing matches the filter'
export const clearTheFilter = 'Clear the filter'
export const noMatchTheseFilters = (nouns: string | number) => `No ${nouns} match these filters.`
export const selectAllOnThisPage = 'Select all on this page'
export const select = (run: string) => `Select ${run}`
export const created = 'Created'
export const duration = 'Duration'
export const deleteJobs = (noun: Noun) => `Delete ${noun}`
export const selectedRows = 'Selected rows'
export const selected = (selected: string) => `${selected} selected`
export const selectAllCounted = (all: string | number) => `Select all ${all} on this page`
export const clearSelection = 'Clear selection'
export const preparing = 'Preparing…'
export const download = 'Download'
export const exportRows = 'Export rows'
export const starting = 'Starting…'
export const runAgain = 'Run again'
export const started = (started: string) => `${started} started`
export const ofWereNotStarted = (failed: string | number, all: string | number, reason: string | number) =>
  `${failed} of ${all} were not started: ${reason}`
