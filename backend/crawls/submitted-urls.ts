/** The URLs of a request: their spelling, which of them are refused, and the seeds that they become. */
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import { canonicalUrlWithTracking, hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import type { SeedUrl } from '#backend/runs/runs.ts'
import { HIDDEN_PASSWORD, hasMaskedCredentials } from '#backend/runs/run-secrets.ts'

const JUDGED_AT_ONCE = 16

/** A submitted URL: its canonical URL, its identity for comparison, its host, and whether its password is masked. */
export type SubmittedUrl = { url: string; identity: string; hostKey: string; hostname: string; hasMask: boolean }

/** Null when the text is no URL of a page. */
export function submittedUrl(submitted: string): SubmittedUrl | null {
  const url = canonicalUrlWithTracking(submitted)
  if (url === null) return null
  return {
    url,
    identity: urlIdentity(url),
    hostKey: hostKey(url),
    hostname: new URL(submitted).hostname,
    hasMask: hasMaskedCredentials(submitted),
  }
}

/** The distinct submitted pages, in order; two spellings of one page are one. */
export function seedUrls(salt: Buffer, pages: readonly (SubmittedUrl | null)[]): SeedUrl[] {
  const seeds = new Map<string, SeedUrl>()
  for (const page of pages) {
    if (page === null || seeds.has(page.identity)) continue
    const { hi, lo } = urlKey(salt, page.identity)
    seeds.set(page.identity, { url: page.url, hostKey: page.hostKey, keyHi: hi, keyLo: lo })
  }
  return [...seeds.values()]
}

/** URLs that must not be fetched, by index, with the messages. One lookup per host. */
export async function refusedUrls(
  judgeUrl: Egress['judgeUrl'],
  pages: readonly (SubmittedUrl | null)[],
): Promise<[place: number, messages: string[]][]> {
  const places = new Map<string, string>()
  for (const page of pages) if (page !== null) places.set(page.hostKey, page.url)
  const verdicts = new Map<string, string | null>()
  const waiting = [...places]
  const judge = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) verdicts.set(next[0], await judgeUrl(next[1]))
  }
  await Promise.all(Array.from({ length: Math.min(JUDGED_AT_ONCE, waiting.length) }, judge))
  return pages.flatMap((page, place): [number, string[]][] => {
    if (page === null) return [[place, ['Enter a valid URL.']]]
    if (page.hasMask) return [[place, [HIDDEN_PASSWORD]]]
    return verdicts.get(page.hostKey) === 'refused_address' ? [[place, ['This address is not allowed.']]] : []
  })
}
