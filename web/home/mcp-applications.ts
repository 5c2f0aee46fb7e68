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

/**
 * The URL of the server's event stream, with the key in it, for applications that have no other place for a key.
 *
 * @param server   from the settings: a URL, or a path on the API's own origin
 * @param apiBase  origin and path before `/api`, without a final slash
 * @param key      percent-encoded, or masked for display
 */
export function eventStreamUrl(server: string, apiBase: string, key: string): string {
  const url = server.startsWith('/') ? apiBase + server : server
  return `${url}${url.includes('?') ? '&' : '?'}apikey=${key}`
}

/** The server's name in an application's list: "Blue Net" becomes "blue-net". */
export const serverName = (productName: string): string =>
  productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'seine'

/** All applications in the order of the screen. `url` is the event stream's. */
export function mcpApplications(name: string, url: string): readonly McpApplication[] {
  // For applications that can only start a local program: `mcp-remote` connects it to the server.
  const command = { command: 'npx', args: ['-y', 'mcp-remote', url] }
  const written = (key: string, entry: object) => ({
    label: t.configuration,
    language: 'json' as const,
    code: JSON.stringify({ [key]: { [name]: entry } }, null, 2),
  })
  return [
    {
      id: 'general',
      name: t.general,
      explains: t.mostApplicationsTakeEitherACommand,
      guide: 'https://modelcontextprotocol.io/docs/getting-started/intro',
      blocks: [
        { ...written('mcpServers', command), label: t.commandConfiguration },
        { label: t.eventStream, language: 'text', code: url },
      ],
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      explains: t.addThisToCodeiumWindsurfMcp,
      guide: 'https://docs.windsurf.com/windsurf/cascade/mcp',
      blocks: [written('mcpServers', { serverUrl: url })],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      explains: t.addThisToCursorMcpJson,
      guide: 'https://cursor.com/docs/context/mcp',
      blocks: [written('mcpServers', { url })],
      add: {
        label: t.addToCursor,
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(base64(JSON.stringify({ url })))}`,
      },
    },
    {
      id: 'vscode',
      name: t.vsCode,
      explains: t.addThisToVscodeMcpJson,
      guide: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
      blocks: [written('servers', { type: 'sse', url })],
      add: { label: t.addToVSCode, href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'sse', url }))}` },
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
      blocks: [{ label: t.command, language: 'bash', code: `claude mcp add --transport sse ${name} ${quoted(url)}` }],
    },
  ]
}

/** Encodes the UTF-8 bytes, because the application decodes UTF-8. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Quotes for a shell: an apostrophe ends the quotes, is escaped, and starts them again. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
