/** The parts of the OpenAPI document of the Firecrawl API besides its paths: its own errors and credentials. */
import type { ApiDocument, ApiResponse } from '#contract/reference.ts'
import { refTo } from './json-schemas.ts'

export function firecrawlDocument(
  { baseUrl, productName, version }: { baseUrl: string; productName: string; version: string },
  { paths, tags }: { paths: ApiDocument['paths']; tags: readonly string[] },
): ApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: `${productName}: Firecrawl API, v1 and v2`, version, description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: {
            success: { const: false },
            error: { type: 'string', description: 'One sentence for people; clients make it the message of an exception.' },
            code: { type: 'string', description: 'SCRAPE_TIMEOUT, CRAWL_DENIAL, BAD_REQUEST …' },
            details: { description: 'With status 400 the messages of each field.' },
          },
          required: ['success', 'error'],
        },
      },
      responses: RESPONSES,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the team.' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as the clients send it.' },
      },
    },
  }
}

const INTRODUCTION = `The API that clients of Firecrawl know, over the same crawls, searches and sitemaps as the API of the product itself. Point a client at this server and give it an API key of the team.

Success is always 200. Fields that are not known are refused with 400. What this server cannot do is said in \`warning\` where the rest of the answer is right, and is an error where it would not be.`

const refusal = (description: string, error: string): ApiResponse => ({
  description,
  content: { 'application/json': { schema: refTo('Error'), example: { success: false, error } } },
})

const RESPONSES: Record<string, ApiResponse> = {
  InvalidInput: refusal('The request has invalid values.', 'Bad Request: url: This address is not allowed.'),
  Unauthorized: refusal('The key is missing or unknown.', 'Unauthorized: Invalid token'),
  PaymentRequired: refusal(
    'The credits are used up, or the plan does not allow the request.',
    'All page credits of this billing period are used.',
  ),
  Timeout: refusal(
    'The answer was not ready in time; `code` is SCRAPE_TIMEOUT, MAP_TIMEOUT or SEARCH_TIMEOUT.',
    'The page was not scraped within 60 s.',
  ),
  Forbidden: refusal('The page may not be scraped.', 'The page could not be scraped: robots: line 2: Disallow: /'),
  NotFound: refusal('The job does not exist, or belongs to another team.', 'Job not found.'),
  Conflict: refusal(
    'The key was used before: in v1 with any body, in v2 with another one.',
    'This Idempotency-Key was used with another body.',
  ),
  TooLarge: refusal('The body is too large or has too many values.', 'Request body is too large.'),
  UnsupportedMediaType: refusal('The body is not JSON.', 'Unsupported media type "text/plain" in request.'),
  TooManyRequests: {
    ...refusal('Too many calls.', 'Request was throttled. Expected available in 7 seconds.'),
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  },
  Failure: refusal('The page could not be scraped, or the server failed.', 'An unexpected error occurred.'),
}
