/** Finds the browser: the one that the operator names, one of the machine, or one that Playwright has downloaded. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { delimiter, join } from 'node:path'

type FoundBrowser = { path: string; from: 'CHROMIUM_PATH' | 'the machine' | 'Playwright' }

/** The places to search; absent ones default to those of this machine. */
type BrowserPlaces = {
  /** `CHROMIUM_PATH`: only this one; `none`: no browser at all. */
  chromiumPath?: string | undefined
  /** `PATH` of the environment. */
  searchPath?: string | undefined
  /** `PLAYWRIGHT_BROWSERS_PATH` of the environment. */
  browsersPath?: string | undefined
}

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const USUAL_FOLDERS: { [name in NodeJS.Platform]?: string[] } = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/usr/lib/chromium'],
  darwin: ['/usr/local/bin', '/opt/homebrew/bin'],
}
const USUAL_FILES: { [name in NodeJS.Platform]?: string[] } = {
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}
/** Folders of Playwright's downloads, such as `chromium_headless_shell-1200`. */
const DOWNLOADS = /^chromium(?:_headless_shell)?-(\d+)$/
const PROGRAMS = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/headless_shell',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-win/headless_shell.exe',
  'chrome-win/chrome.exe',
]

/** The value of `CHROMIUM_PATH` for no browser. */
export const NO_BROWSER = 'none'

/** How to install a browser: shown in the log, by `doctor` and in the crawl form. */
export const HOW_TO_INSTALL =
  'Install Chromium (Debian and Ubuntu: apt-get install chromium; anywhere: npx playwright-core install chromium) or name one in CHROMIUM_PATH, and start again.'

/** @returns the browser; null when there is none, or `CHROMIUM_PATH` names no executable */
export function findChromium({ browsersPath, chromiumPath, searchPath = '' }: BrowserPlaces): FoundBrowser | null {
  if (chromiumPath === NO_BROWSER) return null
  if (chromiumPath !== undefined) return isExecutable(chromiumPath) ? { path: chromiumPath, from: 'CHROMIUM_PATH' } : null
  const folders = [...searchPath.split(delimiter).filter(Boolean), ...(USUAL_FOLDERS[platform()] ?? [])]
  const files = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...(USUAL_FILES[platform()] ?? [])]
  const installed = files.find(isExecutable)
  if (installed !== undefined) return { path: installed, from: 'the machine' }
  const downloaded = downloads(browsersPath ?? downloadFolder()).find(isExecutable)
  return downloaded === undefined ? null : { path: downloaded, from: 'Playwright' }
}

/** Downloaded browsers, the newest first. */
function downloads(folder: string): string[] {
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // no downloads
  }
  return names
    .filter((name) => DOWNLOADS.test(name))
    .toSorted((one, other) => Number(DOWNLOADS.exec(other)![1]) - Number(DOWNLOADS.exec(one)![1]))
    .flatMap((name) => PROGRAMS.map((program) => join(folder, name, program)))
}

function downloadFolder(): string {
  if (platform() === 'darwin') return join(homedir(), 'Library/Caches/ms-playwright')
  if (platform() === 'win32') return join(homedir(), 'AppData/Local/ms-playwright')
  return join(homedir(), '.cache/ms-playwright')
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // Folders are executable, too.
    return statSync(path).isFile()
  } catch {
    return false
  }
}
