/** The file `.env` of the working directory. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { ConfigFault, readEnvironment } from '#config/read-config.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const before = process.cwd()
const folder = temporaryFolder('seine-env-file-')
const envFile = suite('the file .env')
envFile.before(() => process.chdir(folder))
envFile.after.each(() => {
  for (const name of ['SEINE_FIRST', 'SEINE_SECOND']) delete process.env[name]
  rmSync('.env', { recursive: true, force: true })
})
envFile.after(() => {
  process.chdir(before)
})

const BYTE_ORDER_MARK = '\uFEFF'

envFile('it completes the environment, which takes precedence', () => {
  process.env['SEINE_SECOND'] = 'given'
  writeFileSync('.env', "# options\nSEINE_FIRST='a $b #c'\nSEINE_SECOND=other\n")
  const environment = readEnvironment()
  assert.equal([environment['SEINE_FIRST'], environment['SEINE_SECOND']], ['a $b #c', 'given'])
})

envFile('without the file, the environment is as it was', () => {
  assert.is(readEnvironment()['SEINE_FIRST'], undefined)
})

envFile('a byte order mark, which editors of Windows write, does not hide the first option', () => {
  writeFileSync('.env', `${BYTE_ORDER_MARK}SEINE_FIRST=one\r\nSEINE_SECOND=two\r\n`)
  const environment = readEnvironment()
  assert.equal([environment['SEINE_FIRST'], environment['SEINE_SECOND']], ['one', 'two'])
})

envFile('a file in another encoding is refused, whose options would not be found', () => {
  const text = 'SEINE_FIRST=Café\n'
  for (const bytes of [Buffer.from(BYTE_ORDER_MARK + text, 'utf16le'), Buffer.from(text, 'utf16le'), Buffer.from(text, 'latin1')]) {
    writeFileSync('.env', bytes)
    assert.throws(readEnvironment, (error: unknown) => error instanceof ConfigFault && /\.env is in another encoding/.test(error.message))
  }
})

envFile('a file that cannot be read is refused with one line', () => {
  mkdirSync('.env')
  assert.throws(readEnvironment, (error: unknown) => error instanceof ConfigFault && /\.env cannot be read \(EISDIR\)/.test(error.message))
})

envFile.run()
