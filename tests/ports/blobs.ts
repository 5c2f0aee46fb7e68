import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { copyBlobs } from '#backend/platform/blobs/copy-blobs.ts'
import { directoryBlobs } from '#backend/platform/blobs/directory-blobs.ts'
import { blobConformance } from '#tests/support/engine/blob-conformance.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const place = () => temporaryFolder('seine-blobs-')

blobConformance('in a folder', async () => {
  return { blobs: directoryBlobs(join(place(), 'blobs')), close: async () => undefined }
})

const folder = suite('blobs in a folder')

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

folder('files are readable by their owner only, are spread over folders, and no temporary file is left', async () => {
  const root = place()
  const blobs = directoryBlobs(root)
  for (let at = 0; at < 40; at += 1) await blobs.put(`runs/7/page-${at}.png`, Buffer.from('x'))
  const files = filesIn(root)
  assert.is(files.length, 40)
  for (const file of files) {
    assert.is(statSync(file).mode & 0o777, 0o600, file)
    assert.is(statSync(join(file, '..')).mode & 0o777, 0o700, file)
  }
  assert.ok(new Set(files.map((file) => join(file, '..'))).size > 20, 'over many folders')
  for (let at = 0; at < 40; at += 1) await blobs.delete(`runs/7/page-${at}.png`)
  assert.equal(readdirSync(root), ['tmp'], 'empty folders are removed')
})

folder('files left by a killed process are removed after an hour; unfinished writes and blobs stay', async () => {
  const root = place()
  const blobs = directoryBlobs(root)
  await blobs.put('runs/1/a', Buffer.from('x'))
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const [old, fresh] = [join(root, 'tmp', 'old'), join(root, 'tmp', 'fresh')]
  for (const file of [old, fresh]) writeFileSync(file, 'half')
  utimesSync(old, new Date(0), new Date(0))
  assert.is(await blobs.cleanUp(Date.now()), 1)
  assert.equal(readdirSync(join(root, 'tmp')), ['fresh'])
  assert.ok(await blobs.get('runs/1/a').then((found) => (found?.content.destroy(), found !== null)))
  assert.is(await directoryBlobs(join(root, 'nowhere')).cleanUp(Date.now()), 0)
})

folder('a copy has every blob and nothing unfinished, and stays when the original is deleted', async () => {
  const root = place()
  const blobs = directoryBlobs(join(root, 'blobs'))
  for (const key of ['runs/1/a', 'runs/2/b/c', 'single']) await blobs.put(key, Buffer.from(key))
  writeFileSync(join(root, 'blobs', 'tmp', 'half'), 'half')
  assert.is(copyBlobs(join(root, 'blobs'), join(root, 'copy')), 3)
  rmSync(join(root, 'blobs'), { recursive: true })
  const found: string[] = []
  for await (const { key } of directoryBlobs(join(root, 'copy')).list('')) found.push(key)
  assert.equal(found.toSorted(), ['runs/1/a', 'runs/2/b/c', 'single'])
  assert.is(copyBlobs(join(root, 'nowhere'), join(root, 'none')), 0)
  assert.not.ok(readdirSync(root).includes('none'))
})

folder.run()
