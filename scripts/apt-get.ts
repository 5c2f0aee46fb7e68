// Debian packages that tests need: as root on Debian the tests install them, elsewhere they say what to install.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const APT_MS = 180_000
let isUpdated = false

/** True for root on Debian or Ubuntu. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** Installs a package without its recommendations. Reports no failure: check afterwards whether the program exists. */
export function aptInstall(name: string): void {
  if (!isUpdated) aptGet(['update', '-qq'])
  isUpdated = true
  aptGet(['install', '-y', '-qq', '--no-install-recommends', name])
}

function aptGet(words: string[]): void {
  spawnSync('apt-get', words, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: APT_MS })
}
