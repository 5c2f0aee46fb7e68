import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { platform } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startProduct } from '#tests/support/product.ts'

/** Local addresses, as `/proc/net` writes them, on which processes that run with this data folder listen. */
function listening(dataDir: string): string[] {
  const sockets = new Set<string>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DATA_DIR=${dataDir}`)) continue
      for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
        const socket = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1]
        if (socket !== undefined) sockets.add(socket)
      }
    } catch {
      // The process ended, or is another user's.
    }
  }
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      // State 0A is LISTEN; an unconnected UDP socket has state 07.
      .filter((row) => sockets.has(row[9] ?? '') && (row[3] === '0A' || (protocol.startsWith('udp') && row[3] === '07')))
      .map((row) => `${protocol} ${row[1]}`),
  )
}

const ports = suite('open ports')

if (platform() === 'linux')
  ports('T39 the product listens on one port, on loopback', async () => {
    const product = await startProduct()
    const port = Number(new URL(product.url).port).toString(16).toUpperCase().padStart(4, '0')
    const found = listening(product.dataDir)
    await product.close()
    assert.equal(found, [`tcp 0100007F:${port}`])
  })
else ports('T39 this test runs on Linux, whose /proc names each process’s sockets', () => undefined)

ports.run()
