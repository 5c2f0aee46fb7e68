/** The parts of yauzl that tests use; the package has no types. */
declare module 'yauzl' {
  import type { EventEmitter } from 'node:events'
  import type { Readable } from 'node:stream'

  export type Entry = { fileName: string }
  export type ZipFile = EventEmitter & {
    readEntry(): void
    openReadStream(entry: Entry, callback: (fault: Error | null, stream: Readable) => void): void
  }
  export function fromBuffer(
    archive: Buffer,
    options: { lazyEntries: boolean },
    callback: (fault: Error | null, zip: ZipFile) => void,
  ): void
}
