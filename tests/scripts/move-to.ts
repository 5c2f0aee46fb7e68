/** `npm run admin -- move-to` with stored files: into a database and a bucket that are real servers, and into one that is not there. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { blobsFolder, directoryBlobs } from '#backend/platform/blobs/directory-blobs.ts'
import { s3Blobs } from '#backend/platform/blobs/s3-blobs.ts'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { startS3 } from '#tests/support/stubs/servers.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const dataDir = temporaryFolder('seine-move-to-')
const moving = suite('moving with stored files')
const [database, s3] = await Promise.all([emptyPostgresDatabase(), startS3()])
const place = s3.placeOf(`${randomUUID()}/`)
moving.after(async () => {
  await Promise.all([database.drop(), s3.close()])
})

async function moveWith(secretKey: string, url = database.url) {
  const env = cleanEnvironment({
    DATA_DIR: dataDir,
    BLOB_STORE: `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&region=${place.region}`,
    AWS_ACCESS_KEY_ID: place.accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretKey,
  })
  const child = spawn(process.execPath, ['scripts/admin.ts', 'move-to', url], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

moving('a bucket that refuses the key is reported in one line before rows are moved, and the next attempt succeeds', async () => {
  const connection = openSqlite(join(dataDir, 'seine.db'), { cacheMiB: 1 })
  migrate(connection, Date.now)
  connection.exec(`INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('t1', 'Team', 0, 0, 0)`)
  connection.close()
  await directoryBlobs(blobsFolder(dataDir)).put('runs/1/a', Buffer.from('kept'))
  const refused = await moveWith('not the secret')
  assert.is(refused.code, 1)
  assert.match(refused.said, /^Stored files cannot be copied to the bucket \S+ at \S+: the S3 server answered 403 \S+.*\n$/)
  const moved = await moveWith(place.secretAccessKey)
  assert.equal([moved.code, /Copied 1 stored file to the bucket/.test(moved.said)], [0, true], moved.said)
  const found = await s3Blobs(place).get('runs/1/a')
  assert.is(Buffer.concat((await found?.content.toArray()) ?? []).toString(), 'kept')
})

moving('a database that cannot be reached is named, without its password', async () => {
  const { code, said } = await moveWith(place.secretAccessKey, 'postgres://seine:Hunter2@127.0.0.1:1/seine')
  assert.is(code, 1)
  assert.match(said, /^The database at postgres:\/\/127\.0\.0\.1:1\/seine cannot be used: .*ECONNREFUSED/m)
  assert.not.match(said, 'Hunter2')
})

moving.run()
