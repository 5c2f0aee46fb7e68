/** Whether a database URL is of a PostgreSQL; all others are SQLite files. Loads no driver. */
export const isPostgres = (databaseUrl: string) => /^postgres(ql)?:/.test(databaseUrl)

/** The URL of a PostgreSQL as it may be shown. */
export function withoutPassword(url: string): string {
  const shown = URL.parse(url)
  return shown === null ? 'DATABASE_URL' : `${shown.protocol}//${shown.host}${shown.pathname}`
}
