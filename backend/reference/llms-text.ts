/** The server's own `llms.txt`: what a language model needs to know about the API. Source of the format: https://llmstxt.org/ */

export const llmsText = ({ baseUrl, productName }: { baseUrl: string; productName: string }): string => `# ${productName}

> A web crawling, search and sitemap service. It fetches pages, crawls sites and answers their text as Markdown, by an API and by tools for agents.

Calls need an API key of a team, which a person makes in the dashboard (${baseUrl}/dashboard/api-keys): \`X-API-Key: sn-…\` or \`Authorization: Bearer sn-…\`.
One page, waited for: \`POST ${baseUrl}/api/v1/core/scrape/\` with \`{"url": "https://example.org/"}\`; its text is \`result.markdown\`.

## For agents

- [Model Context Protocol](${baseUrl}/mcp): Streamable HTTP; tools to scrape, crawl, map, search and read

## API

- [OpenAPI document](${baseUrl}/api/schema/team/): everything that an API key can call
- [The same as a page](${baseUrl}/api/schema/redoc/): to read
- [Firecrawl API](${baseUrl}/api/schema/firecrawl/): v1 and v2, for clients of Firecrawl
`
