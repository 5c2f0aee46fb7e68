import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fromBuffer } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'

/** The entries of an archive by their names, in order. Throws when it is damaged or a name comes twice. */
export async function unzip(archive: Buffer): Promise<Map<string, string>> {
  const entries = new Map<string, string>()
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(archive, { lazyEntries: true }, (fault, opened) => (fault ? reject(fault) : resolve(opened))),
  )
  const ended = once(zip, 'end')
  zip.on('entry', (entry: Entry) =>
    zip.openReadStream(entry, (fault, stream) => {
      if (fault) return void zip.emit('error', fault)
      void buffer(stream).then((bytes) => {
        if (entries.has(entry.fileName)) return zip.emit('error', new Error(`${entry.fileName} twice`))
        entries.set(entry.fileName, bytes.toString())
        zip.readEntry()
        return undefined
      })
    }),
  )
  zip.readEntry()
  await ended
  return entries
}
