/** The server's own `llms.txt`: what a language model needs to know about the API. Source of the format: https://llmstxt.org/ */

export const llmsText = ({ baseUrl, productName }: { baseUrl: string; productName: string }): string => `# ${productName}

> A web crawling, search and sitemap service. It fetches pages, crawls sites and returns their text as Markdown, with an API and with tools for agents.

Calls need an API key of a team. Users create it in the dashboard (${baseUrl}/dashboard/api-keys). Send it as \`X-API-Key: sn-…\` or \`Authorization: Bearer sn-…\`.
To read one page: \`POST ${baseUrl}/api/v1/core/scrape/\` with \`{"url": "https://example.org/"}\`. The response has its text in \`result.markdown\`.

## For agents

- [Model Context Protocol](${baseUrl}/mcp): Streamable HTTP; tools to scrape, crawl, map, search and read

## API

- [OpenAPI document](${baseUrl}/api/schema/team/): everything that an API key can call
- [API reference](${baseUrl}/api/schema/redoc/): the calls of the whole API as a web page
- [Firecrawl API](${baseUrl}/api/schema/firecrawl/): v1 and v2, for clients of Firecrawl
`
