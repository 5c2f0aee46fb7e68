/** Whether an address names a PostgreSQL; any other names a file of SQLite. Loads no driver. */
export const isPostgres = (databaseUrl: string) => /^postgres(ql)?:/.test(databaseUrl)
