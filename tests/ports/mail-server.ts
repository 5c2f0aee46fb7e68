import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { askMailServer } from '#backend/platform/mailer.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'

const mail = suite('question to the mail server')
const server = new SMTPServer({
  authOptional: false,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  logger: false,
  onAuth: ({ password, username }, _session, done) =>
    password === 'right' ? done(null, { user: username }) : done(new Error('Invalid username or password')),
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.server.address() as AddressInfo
mail.after(() => new Promise<void>((resolve) => server.close(() => resolve())))

mail('a server that accepts user and password can be used', async () => {
  assert.is(await askMailServer(`smtp://user:right@127.0.0.1:${port}`)(), null)
})

mail('what is wrong names the option and the server, and no password', async () => {
  const refused = await askMailServer(`smtp://user:wrong-secret@127.0.0.1:${port}`)()
  assert.match(refused ?? '', /^SMTP_URL names the mail server 127\.0\.0\.1:\d+, which refuses the user or the password \(.*535/)
  assert.not.match(refused ?? '', /wrong-secret/)
  assert.match(
    (await askMailServer(`smtp://127.0.0.1:${await freePort()}`)()) ?? '',
    /which cannot be used \(.*ECONNREFUSED.*Mails wait until then$/,
  )
  assert.match((await askMailServer(`smtp://127.0.0.1:${port}?requireTLS=true`)()) ?? '', /which does not agree on TLS/)
})

mail.run()
