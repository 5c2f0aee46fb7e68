/** Logs that a search provider fails, since another one answers in its place and the operator would not notice. */
import type { SearchProvider } from './index.ts'

type Log = Record<'info' | 'warn', (facts: object, message: string) => void>

/** The same providers. Each is logged when it fails, unless for the same reason as before, and when it answers again. */
export function logFailures(providers: readonly SearchProvider[], log: Log): SearchProvider[] {
  return providers.map((provider) => {
    if (provider.name === 'own') return provider
    let known: string | null = null
    const page: SearchProvider['page'] = async (question, at, signal) => {
      const answer = await provider.page(question, at, signal)
      if (signal.aborted) return answer
      const detail = answer.kind === 'failure' ? answer.detail : null
      if (detail !== null && detail !== known) log.warn({ provider: provider.name, detail }, 'search provider failed')
      if (detail === null && known !== null) log.info({ provider: provider.name }, 'search provider answers again')
      known = detail
      return answer
    }
    return { ...provider, page }
  })
}
