/** What is said to the thread that searches, and what it answers. */
import type { OwnSearchAnswer, OwnSearchRequest } from './find-pages.ts'

export type SearchThreadData = { database: string; file: string }
export type ToSearchThread = { id: number; request: OwnSearchRequest }
export type FromSearchThread = { id: number; answer: OwnSearchAnswer; isDamaged: boolean } | { id: number; fault: unknown }
