// The two calls that the examples need. SEINE_URL and SEINE_API_KEY say where the installation is and who calls.
const base = process.env['SEINE_URL'] ?? 'http://localhost:3000'
const key = process.env['SEINE_API_KEY'] ?? ''

export type Page = { uuid: string; crawl_request: string; url: string; title: string | null; result: { markdown: string } }

/** One page as Markdown; waits for it. A copy that is at most `maxAge` seconds old is answered at once. */
export async function scrape(url: string, maxAge = 3600): Promise<Page> {
  return (await call('POST', '/api/v1/core/scrape/', { url, max_age: maxAge })) as Page
}

export type Hit = { uuid: string; crawl_uuid: string; url: string; title: { text: string }[]; snippet: { text: string }[] }

/** What the team has crawled before, best first. */
export async function searchPages(query: string, limit = 5): Promise<Hit[]> {
  const { results } = (await call(
    'GET',
    `/api/v1/core/own-pages/search/?${new URLSearchParams({ q: query, page_size: String(limit) })}`,
  )) as {
    results: Hit[]
  }
  return results
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(base + path, {
    method,
    headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as { message?: string; errors?: unknown }
  if (!reply.ok) throw new Error(`${answer.message ?? reply.status} ${JSON.stringify(answer.errors ?? '')}`)
  return answer
}
