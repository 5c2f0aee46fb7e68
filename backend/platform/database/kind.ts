/** Whether a database URL is of a PostgreSQL; all others are SQLite files. Loads no driver. */
export const isPostgres = (databaseUrl: string) => /^postgres(ql)?:/.test(databaseUrl)
