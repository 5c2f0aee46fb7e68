/** Executes one statement, each `?` of which is a parameter, and returns its first row. For the engine's process, which has no query builder. */
export type AskRow = <Row>(sql: string, ...values: unknown[]) => Promise<Row | undefined>
