/** Connections on a machine that has no free file handle: the crawler waits for one, and says that it is not the site's fault. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const shortage = suite('a shortage of file handles')

const server = createServer((socket) => void socket.destroy())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
shortage.after(() => void server.close())

/**
 * Dials in a process with few file handles, all of them in use.
 *
 * @param frees  whether some of them are freed when the shortage is noticed
 */
function dialled(frees: boolean, forMs: number): { result: string; codes: string[] } {
  const program = `
    import { openSync, closeSync } from 'node:fs'
    import { stat } from 'node:fs/promises'
    import { dialFirst } from '${new URL('../../../backend/crawler/fetch/dial.ts', import.meta.url).href}'
    const held = []
    const codes = []
    const fill = () => { try { for (;;) held.push(openSync('/dev/null')) } catch {} }
    // Files of imports are closed in the thread pool. It has one thread here, so they are closed when this has its turn.
    await stat('.')
    // Last, so that nothing is freed before the connection.
    const dial = () => (fill(), dialFirst(['127.0.0.1'], ${port}, performance.now() + ${forMs}, noted))
    const free = () => held.splice(0).forEach((handle) => closeSync(handle))
    const noted = (code) => { codes.push(code); if (${frees}) free() }
    const result = await dial()
      .then((socket) => (socket.destroy(), 'connected'), (fault) => fault.reason)
    free()
    console.log(JSON.stringify({ result, codes }))
    process.exit()`
  const shell = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"'
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
  return JSON.parse(String(execFileSync('sh', ['-c', shell, process.execPath, program], { env, stdio: ['ignore', 'pipe', 'ignore'] })))
}

shortage('a connection waits until a file handle is free', () => {
  assert.equal(dialled(true, 5000), { result: 'connected', codes: ['EMFILE'] })
})

shortage('without a free handle it fails for a reason that does not blame the host', () => {
  const { codes, result } = dialled(false, 100)
  assert.equal([codes, result], [['EMFILE'], 'no_socket'])
})

shortage.run()
