/** What `npm run admin -- doctor` says about the optional parts. */
import * as assert from 'uvu/assert'
import { readConfig } from '#config/read-config.ts'
import { doctor } from '../../scripts/admin/doctor.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { suite } from '#tests/support/suite.ts'

const doctors = suite('the command doctor')

async function examine(options: Record<string, string>) {
  const lines: string[] = []
  const fault = await doctor({ config: readConfig(options), print: (line) => void lines.push(line) }).then(
    () => '',
    (error: Error) => error.message,
  )
  return { fault, lines }
}

doctors('every part that does not work is named with its fault, whatever else fails', async () => {
  const { fault, lines } = await examine({ CHROMIUM_PATH: '/bin/false', SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
  assert.match(lines.join('\n'), /^Rendering: \/bin\/false \(CHROMIUM_PATH\), \d+ pages? at once\.$/)
  assert.match(fault, /^Rendering: the browser cannot be started: /)
  assert.match(fault, /\nMail: SMTP_URL names the mail server 127\.0\.0\.1:\d+, .*ECONNREFUSED/)
})

doctors('without any of the parts it succeeds', async () => {
  assert.equal(await examine({ CHROMIUM_PATH: 'none' }), { fault: '', lines: ['Rendering: switched off by CHROMIUM_PATH=none.'] })
})

doctors.run()
