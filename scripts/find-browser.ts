import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { aptInstall, canInstall } from './apt-get.ts'

const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The browser for tests: `CHROMIUM_PATH`, else one of the machine's, else Playwright's download.
 *
 * @returns  an absolute path, or undefined when there is none
 */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return env['CHROMIUM_PATH']
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (onPath) return onPath
  const downloaded = chromium.executablePath()
  return downloaded && existsSync(downloaded) ? downloaded : undefined
}

/**
 * Like `findBrowser`, but installs one as root on Debian. With CI set it installs the headless shell even beside a full Chromium: browser
 * tests then take 0.6 of the processor time (plan screens: 42 instead of 71 s).
 *
 * @throws an Error that says what a person has to install
 */
export function findOrInstallBrowser(env: NodeJS.ProcessEnv = process.env): string {
  const found = findBrowser(env)
  const wantsShell = Boolean(env['CI']) && !env['CHROMIUM_PATH'] && !found?.includes('headless')
  if (found && !wantsShell) return found
  if (canInstall()) {
    console.log(found ? 'Installing the headless shell of Chromium by apt-get …' : 'No browser found: installing Chromium by apt-get …')
    for (const name of found ? [SHELL] : [SHELL, 'chromium']) {
      aptInstall(name)
      const installed = findBrowser(env)
      if (installed && installed !== found) return installed
    }
  }
  if (found) return found
  throw new Error(
    'The browser tests need Chromium. Install it (Debian and Ubuntu: apt-get install chromium; anywhere: npx playwright install chromium),' +
      ' or name one in CHROMIUM_PATH.',
  )
}

/** "Chromium 140.0…", for the log of a test run; reports an unusable browser once rather than in every test. */
export function browserVersion(path: string): string {
  return execFileSync(path, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
  }).trim()
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // The program is missing or may not be run: try the next name.
  }
}
