/** The command `compact`. */
import { DatabaseFault, Refusal, compact, embeddedFile, isDatabaseThere } from '../../backend/administration.ts'
import { openDataDir } from '../../gateway/start/data-dir.ts'
import type { Config } from '#config/read-config.ts'

type Needs = { config: Pick<Config, 'dataDir' | 'databaseUrl'>; print: (line: string) => void }

/** Requires that the product is stopped, and takes the lock of the data folder to make sure. */
export async function compactDatabase({ config: { databaseUrl, dataDir }, print }: Needs): Promise<void> {
  const file = embeddedFile(databaseUrl)
  if (!isDatabaseThere(file)) throw new Refusal(`There is no database at ${file}: set DATA_DIR to the folder of the product.`)
  const held = await openDataDir(dataDir)
  try {
    const { before, after, isConverted } = compact(file)
    print(`Compacted ${file}: ${megabytes(before)} before, ${megabytes(after)} now.`)
    if (isConverted) print('From now on the space of what is deleted returns to the disk by itself.')
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (code === 'SQLITE_FULL')
      throw new Refusal('The disk has no space for a copy of the database; nothing has changed.', { cause: error })
    if (error instanceof DatabaseFault) throw new Refusal(message, { cause: error })
    throw error
  } finally {
    held.release()
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
