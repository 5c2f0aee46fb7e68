import type { RenderJob } from '#backend/crawler/crawl/renderer.ts'

/** A page to be rendered without any option. */
export const renderJob = (url: string, more: Partial<RenderJob> = {}): RenderJob => ({
  url,
  locale: 'en-US',
  headers: {},
  proxy: null,
  timeoutMs: 15_000,
  waitMs: 0,
  consentSelector: null,
  actions: [],
  viewport: 'desktop',
  blocks: [],
  maxBytes: 1_000_000,
  ...more,
})
