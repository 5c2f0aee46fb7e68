/** How to add the MCP server to each application: the text for its configuration file, or a link to open. Pure. */
import type { CodeLanguage } from '#web/ui/code/code-block.tsx'
import * as t from '#texts/home.ts'

export type McpApplication = {
  id: string
  name: string
  /** Says where to put the configuration. */
  explains: string
  /** The application's own documentation. */
  guide: string
  blocks: readonly { label: string; language: CodeLanguage; code: string }[]
  /** Opens the application, which asks whether to add the server. */
  add?: { label: string; href: string }
}

/** How an application reaches the server. `headers` contain the key if the URL does not. */
export type McpConnection = { type: 'http' | 'sse'; url: string; headers?: Record<string, string> }

/**
 * The connection to the server. A path or URL that ends with `/mcp`, as that of this product does, takes the key in a header (Streamable HTTP).
 * Any other is the older event stream, with the key in its URL.
 *
 * @param server   from the settings: a URL, or a path on the API's own origin
 * @param apiBase  origin and path before `/api`, without a final slash
 * @param key      the key, or a masked one for display
 */
export function mcpConnection(server: string, apiBase: string, key: string): McpConnection {
  const url = server.startsWith('/') ? apiBase + server : server
  // The dots of a masked key stay readable.
  const encoded = key.replace(/[^•]+/g, encodeURIComponent)
  return /\/mcp\/?$/.test(url)
    ? { type: 'http', url, headers: { Authorization: `Bearer ${key}` } }
    : { type: 'sse', url: `${url}${url.includes('?') ? '&' : '?'}apikey=${encoded}` }
}

/** The server's name in an application's list: "Blue Net" becomes "blue-net". */
export const serverName = (productName: string): string =>
  productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'seine'

/** All applications in the order of the screen. */
export function mcpApplications(name: string, connection: McpConnection): readonly McpApplication[] {
  const { headers, type, url } = connection
  const command = commandFor(connection)
  const entry = { url, ...(headers && { headers }) }
  const header = headers === undefined ? '' : ` --header ${quoted(`Authorization: ${headers['Authorization']}`)}`
  const written = (key: string, value: object) => ({
    label: t.configuration,
    language: 'json' as const,
    code: JSON.stringify({ [key]: { [name]: value } }, null, 2),
  })
  return [
    {
      id: 'general',
      name: t.general,
      explains: headers ? t.mostApplicationsTakeAURL : t.mostApplicationsTakeEitherACommand,
      guide: 'https://modelcontextprotocol.io/docs/getting-started/intro',
      blocks: headers
        ? [written('mcpServers', { type, ...entry }), { ...written('mcpServers', command), label: t.commandConfiguration }]
        : [
            { ...written('mcpServers', command), label: t.commandConfiguration },
            { label: t.eventStream, language: 'text', code: url },
          ],
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      explains: t.addThisToCodeiumWindsurfMcp,
      guide: 'https://docs.windsurf.com/windsurf/cascade/mcp',
      blocks: [written('mcpServers', { serverUrl: url, ...(headers && { headers }) })],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      explains: t.addThisToCursorMcpJson,
      guide: 'https://cursor.com/docs/context/mcp',
      blocks: [written('mcpServers', entry)],
      add: {
        label: t.addToCursor,
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(base64(JSON.stringify(entry)))}`,
      },
    },
    {
      id: 'vscode',
      name: t.vsCode,
      explains: t.addThisToVscodeMcpJson,
      guide: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
      blocks: [written('servers', { type, ...entry })],
      add: { label: t.addToVSCode, href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type, ...entry }))}` },
    },
    {
      id: 'claude-desktop',
      name: t.claudeDesktop,
      explains: t.addThisToClaudeDesktopConfig,
      guide: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
      blocks: [written('mcpServers', command)],
    },
    {
      id: 'claude-code',
      name: t.claudeCode,
      explains: t.runThisInTheFolderOf,
      guide: 'https://code.claude.com/docs/en/mcp',
      blocks: [{ label: t.command, language: 'bash', code: `claude mcp add --transport ${type} ${name} ${quoted(url)}${header}` }],
    },
  ]
}

/** For applications that can only start a local program: `mcp-remote` connects it to the server. */
function commandFor({ headers, url }: McpConnection) {
  const args = ['-y', 'mcp-remote', url]
  // Without it, the program connects by plain HTTP to its own machine only.
  if (/^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/.test(url)) args.push('--allow-http')
  if (headers === undefined) return { command: 'npx', args }
  // Some applications split arguments at blanks, so the value of the header is in the environment.
  args.push('--header', 'Authorization:${AUTHORIZATION}')
  return { command: 'npx', args, env: { AUTHORIZATION: headers['Authorization'] } }
}

/** Encodes the UTF-8 bytes, because the application decodes UTF-8. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Quotes for a shell: an apostrophe ends the quotes, is escaped, and starts them again. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
