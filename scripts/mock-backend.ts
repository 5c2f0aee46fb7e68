// Runs the tests' mock backend as a server, for looking at the page, or for a CI that tests the gateway in proxy mode without a real
// backend. It keeps no state between starts.
//
//   node scripts/mock-backend.ts                        on http://127.0.0.1:8000
//   BACKEND_URL=http://127.0.0.1:8000 npm start         puts the gateway before it
//   --host ADDRESS, --port NUMBER                       listens elsewhere; port 0 takes a free one
//   --not-installed                                     begins with the install screen
import { parseArgs } from 'node:util'
import { MOCK_ACCOUNT, startMockBackend } from '#tests/support/stubs/mock-backend.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8000' },
    'not-installed': { type: 'boolean', default: false },
  },
})
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port ${values.port} is no port`)
  process.exit(2)
}
const backend = await startMockBackend({ host: values.host, port, installed: !values['not-installed'] })
console.log(`The mock backend is ready: ${backend.url}`)
console.log(`Sign in as ${MOCK_ACCOUNT.email} with ${MOCK_ACCOUNT.password}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void backend.close())
