/** Which pages may call the endpoint of the Model Context Protocol: a page elsewhere must not reach a server behind the visitor's firewall. */

/**
 * The dashboard's own origin, those of CORS_ORIGINS, and pages of this machine where the server is called by a name of this machine too.
 * The `Host` header alone decides nothing: a page can have its own name lead to any address (DNS rebinding).
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
