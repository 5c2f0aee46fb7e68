/** Stores a file that the renderer has captured as a blob, and deletes the file. */
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import type { Capture } from '#backend/crawler/crawl/renderer.ts'
import type { BlobStore } from '#backend/platform/blobs/blob-store.ts'
import { attachmentKey } from './attachments.ts'
import { fileStem } from './file-stem.ts'

const EXTENSIONS = { screenshot: '.png', pdf: '.pdf', scrape: '.json' } as const

/** The row comes with the commit of the page; a blob without a row is deleted with its run. */
export function keepsCaptures({
  blobs,
  newId,
}: {
  blobs: Pick<BlobStore, 'put'>
  newId: () => string
}): Pick<RunRendering, 'keep' | 'drop'> {
  const drop: RunRendering['drop'] = ({ path }) => void rm(path, { force: true }).catch(() => undefined)
  return {
    drop,
    async keep(capture, runNo, pageUrl) {
      const id = newId()
      try {
        const { bytes } = await blobs.put(attachmentKey(runNo, id), createReadStream(capture.path))
        return { id, type: capture.type, filename: captureName(pageUrl, capture), bytes }
      } finally {
        drop(capture)
      }
    },
  }
}

/** The name of a captured file, from the page's URL without its query: `shop.example_tea.png`. */
function captureName(pageUrl: string, { isJpeg, type }: Pick<Capture, 'type' | 'isJpeg'>): string {
  const stem = fileStem(pageUrl.replace(/[?#].*$/s, '')) || 'page'
  return `${stem}${isJpeg === true ? '.jpg' : EXTENSIONS[type]}`
}
