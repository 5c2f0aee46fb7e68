/** The messages between the engine and the renderer's process. */
import type { FailureReason } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'

export type RendererSettings = {
  /** Path of the browser. */
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
  /** The process group of a browser; it is killed as a whole. */
  | { type: 'browser'; pid: number }
  | { type: 'hop'; id: number; hop: number; url: string }
  | { type: 'done'; id: number; outcome: RenderOutcome }
