/** Which web pages may call the MCP endpoint: other pages must not reach a server behind the visitor's firewall. */

/**
 * Allows the dashboard's own origin, those of CORS_ORIGINS, and pages on this machine if the server is called by a local name too. The
 * `Host` header alone is not enough: a page can make its own name resolve to any address (DNS rebinding).
 */
export function isAllowedOrigin(
  origin: string,
  { corsOrigins, host, publicUrl }: { host: string | undefined; corsOrigins: readonly string[]; publicUrl: string | undefined },
): boolean {
  const given = origin.toLowerCase()
  if (corsOrigins.includes(given)) return true
  if (publicUrl !== undefined && URL.parse(publicUrl)?.origin === given) return true
  return isLoopback(URL.parse(given)?.hostname) && isLoopback(URL.parse(`http://${host ?? ''}`)?.hostname)
}

const isLoopback = (name: string | undefined) => name === 'localhost' || name === '127.0.0.1' || name === '[::1]'
