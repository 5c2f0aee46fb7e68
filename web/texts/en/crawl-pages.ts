import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const pages = 'Pages'
export const fullWindowF = 'Full window (F)'
export const newestFirst = 'Newest first'
export const pagesShown = (span: Part) => rich`Pages${span}`
export const pauseUpdates = 'Pause updates'
export const showNew = (missed: string) => `Show ${missed} new`
export const resumeUpdates = 'Resume updates'
export const attachments = (n: number) => count(n, { one: 'attachment', other: 'attachments' })
export const preview = (title: string | number) => `Preview ${title}`
export const previewTab = 'Preview'
export const downloadJSONOf = (title: string | number) => `Download JSON of ${title}`
export const downloadJSON = 'Download JSON'
export const leaveTheFullWindowF = 'Leave the full window (F)'
export const previousResult = 'Previous result'
export const nextResult = 'Next result'
