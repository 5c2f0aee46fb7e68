/** The sentence under the welcome: what is running, and what was stored yesterday. Pure. */
import { numberText } from '#web/ui/text/time-texts.ts'

const NOTHING_YET = 'Crawl websites, search them, and read their pages as clean text.'

/**
 * @param running    jobs that have not ended
 * @param yesterday  documents of yesterday; null while it is unknown
 */
export function welcomeLine(running: number, yesterday: number | null): string {
  const jobs = running === 0 ? '' : running === 1 ? 'one job is running' : `${numberText(running)} jobs are running`
  const pages = !yesterday ? '' : `yesterday brought ${yesterday === 1 ? 'one new page' : `${numberText(yesterday)} new pages`}`
  const said = [jobs, pages].filter(Boolean).join('; ')
  return said === '' ? NOTHING_YET : `${said[0]?.toUpperCase()}${said.slice(1)}.`
}
