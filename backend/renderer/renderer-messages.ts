/** What the engine and the process of the renderer say to each other. */
import type { FailureReason } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'

export type RendererSettings = {
  /** The browser's program. */
  browserPath: string
  egressAllow: string
  egressResolver: string | null
  userAgent: string
  slots: number
}

export type ToRenderer =
  | { type: 'start'; settings: RendererSettings; folder: string }
  | { type: 'render'; id: number; job: RenderJob }
  | { type: 'hop'; id: number; hop: number; verdict: 'go' | FailureReason }
  | { type: 'cancel'; id: number }
  | { type: 'close' }

export type FromRenderer =
  | { type: 'ready' }
  | { type: 'alive' }
  /** The processes of a browser; all of a group are ended together. */
  | { type: 'browser'; pid: number }
  | { type: 'hop'; id: number; hop: number; url: string }
  | { type: 'done'; id: number; outcome: RenderOutcome }
