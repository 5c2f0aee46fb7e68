/** The sentence under the welcome: what is running, and what was stored yesterday. Pure. */
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/home.ts'

const NOTHING_YET = t.crawlWebsitesSearchThemAndRead

/**
 * @param running    jobs that have not ended
 * @param yesterday  documents of yesterday; null while it is unknown
 */
export function welcomeLine(running: number, yesterday: number | null): string {
  const jobs = running === 0 ? '' : running === 1 ? t.oneJobIsRunning : t.jobsAreRunning(numberText(running))
  const pages = !yesterday ? '' : t.yesterday(yesterday === 1 ? t.oneNewPage : t.newPages(numberText(yesterday)))
  const said = [jobs, pages].filter(Boolean).join('; ')
  return said === '' ? NOTHING_YET : `${said[0]?.toUpperCase()}${said.slice(1)}.`
}
