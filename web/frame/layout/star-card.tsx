/** Invites people to star the repository; the browser itself asks the code host for the number of stars. */
import useSWR from 'swr'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { StarIcon } from '#web/ui/icons.tsx'
import { STAR_REFRESH_MS } from '#web/ui/limits.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/layout.ts'

export function StarCard() {
  const { productName, repository } = runtimeConfig
  const stars = useStars(repository)
  return (
    <section aria-label={t.openSource} className="grid gap-1 rounded-card border border-line bg-page p-3">
      <h2 className="font-semibold">{t.isOpenSource(productName)}</h2>
      <p className="text-table text-soft">{t.likeItGiveTheRepositoryA}</p>
      <div className="mt-1 flex items-center justify-between gap-2">
        {repository ? (
          <ButtonLink size="small" icon={StarIcon} href={`https://github.com/${repository}`} external>
            {t.star}
          </ButtonLink>
        ) : (
          <StarIcon className="text-faint" />
        )}
        <span className="num text-label text-faint">{stars === null ? t.loading : t.stars(numberText(stars))}</span>
      </div>
    </section>
  )
}

/** The number of stars, or null while it is unknown, as when the code host cannot be reached. */
function useStars(repository: string): number | null {
  const url = repository ? `${runtimeConfig.githubApiUrl.replace(/\/+$/, '')}/repos/${repository}` : null
  const { data } = useSWR<number | null>(url, countStars, {
    refreshInterval: STAR_REFRESH_MS,
    refreshWhenHidden: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    dedupingInterval: STAR_REFRESH_MS / 2,
  })
  return data ?? null
}

/**
 * Requested without our headers, because the code host must not see a token. A failure is no error: it is requested again in five minutes.
 */
async function countStars(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, credentials: 'omit', referrerPolicy: 'no-referrer' })
    const answer: unknown = response.ok ? await response.json() : null
    return typeof answer === 'object' && answer !== null && 'stargazers_count' in answer && typeof answer.stargazers_count === 'number'
      ? answer.stargazers_count
      : null
  } catch {
    return null // offline, blocked or not JSON
  }
}
