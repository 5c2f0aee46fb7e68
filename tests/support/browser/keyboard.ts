/** Simulates a user who uses only the keyboard and enlarges the page. */
import type { Locator, Page } from 'playwright'
import * as assert from 'uvu/assert'

/** More stops than any screen of the mock backend has. */
const STOPS = 120
export const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)

export const isInSight = (target: Locator) =>
  target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

/** Presses Tab until `target` has the focus, which must then be in view. */
export async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let stop = 0; stop < STOPS && !(await isFocused(target)); stop++) await page.keyboard.press('Tab')
  assert.ok(await isFocused(target), `Tab reaches ${target.toString()}`)
  const inFront = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const shown = document.elementFromPoint(left + width / 2, top + height / 2)
    if (shown !== null && (element.contains(shown) || shown.contains(element))) return ''
    return `${shown?.outerHTML.slice(0, 200) ?? 'nothing'} at ${Math.round(top)} of ${window.innerHeight}`
  })
  assert.is(inFront, '', `${target.toString()} is in sight when it has the focus`)
}

/** 1280 by 1024 pixels at 100, 200 and 400 percent. */
export const ZOOMS = [
  [100, { width: 1280, height: 1024 }],
  [200, { width: 640, height: 512 }],
  [400, { width: 320, height: 256 }],
] as const
