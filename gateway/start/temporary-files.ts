/**
 * Makes SQLite write its temporary files into the data folder (`SQLITE_TMPDIR`): they may have the size of a large commit or, in `compact`, of
 * the database, and /tmp is often small. So the disk whose free space is watched is the only one that counts. A value set by the operator wins.
 *
 * Call it before the first SQLite file is opened: the library reads the variable once.
 *
 * @param environment  of this process, which its children get
 */
export function keepTemporaryFilesIn(dataDir: string, environment: NodeJS.ProcessEnv): void {
  environment['SQLITE_TMPDIR'] ??= dataDir
}
