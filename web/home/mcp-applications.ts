/** How to add the MCP server to each application: which text to write into which file, or which link to open. Pure. */
import type { CodeLanguage } from '#web/ui/code/code-block.tsx'
import * as t from '#texts/home.ts'

export type McpApplication = {
  id: string
  name: string
  /** Where the block goes. */
  explains: string
  /** The application's own words on it. */
  guide: string
  blocks: readonly { label: string; language: CodeLanguage; code: string }[]
  /** Opens the application, which asks whether to add the server. */
  add?: { label: string; href: string }
}

/**
 * Where the server sends its events, with the key in the address: applications of this kind have no other place for it.
 *
 * @param server   as in the settings: an address, or a path on the API's own
 * @param apiBase  origin and path before `/api`, without a slash at its end
 * @param key      as it is to stand there: percent-encoded, or masked for reading
 */
export function eventStreamUrl(server: string, apiBase: string, key: string): string {
  const url = server.startsWith('/') ? apiBase + server : server
  return `${url}${url.includes('?') ? '&' : '?'}apikey=${key}`
}

/** What the server is called in an application's list: "Blue Net" to "blue-net". */
export const serverName = (productName: string): string =>
  productName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'seine'

/** All applications in the order of the screen. `url` is the event stream's. */
export function mcpApplications(name: string, url: string): readonly McpApplication[] {
  // For applications that start a program: it passes on between the two.
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

/** Of the UTF-8 bytes, as the other side decodes it. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** For a shell: an apostrophe ends the quotes, stands by itself, and begins them again. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
