// Commands for operators that no endpoint offers: npm run admin -- help
//
// They work on the database of the product, which may be running meanwhile. So they do not lock the data folder (`restore` does),
// create no database, and leave the schema as it is. Exit code: 0 success, 1 failure, 2 invalid arguments.
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { DatabaseFault, Refusal, isPostgres, openAdministration, sqliteFile } from '../backend/administration.ts'
import { storedSecretKey } from '../gateway/start/data-dir.ts'
import { startFaultOf } from '../gateway/start/start-fault.ts'
import { keepTemporaryFilesIn } from '../gateway/start/temporary-files.ts'
import { ConfigFault, readConfig, readEnvironment } from '#config/read-config.ts'
import type { Config } from '#config/read-config.ts'
import { COMMANDS } from './admin/commands.ts'
import type { Command, FileCommand, MachineCommand } from './admin/commands.ts'

const DONE = 0
const FAILED = 1
const NOT_UNDERSTOOD = 2

const ANOTHER_KEY =
  'Warning: SECRET_KEY, or secret.key in DATA_DIR, is not the key with which the product encrypted its newest API key. Unless that key was lost, set it: otherwise links and passwords of this command do not work.'

/** The command is invalid; the message says why. */
class UsageFault extends Error {}

async function main(argv: string[]): Promise<number> {
  try {
    if (argv.length === 0) throw new UsageFault(help())
    if (argv[0] === 'help' || argv.includes('--help')) {
      console.log(help())
      return DONE
    }
    const { command, values, options } = understood(argv)
    await run(command, values, options)
    return DONE
  } catch (error) {
    const isUsage = error instanceof UsageFault
    if (!isUsage && !(error instanceof Refusal) && !(error instanceof ConfigFault)) throw error
    console.error(plain(error.message))
    return isUsage ? NOT_UNDERSTOOD : FAILED
  }
}

function understood(argv: string[]): {
  command: Command | FileCommand | MachineCommand
  values: string[]
  options: Record<string, unknown>
} {
  const command = COMMANDS.find(({ usage }) => wordsOf(usage).every((word, at) => argv[at] === word))
  if (!command) throw new UsageFault('There is no such command: npm run admin -- help lists them.')
  const words = wordsOf(command.usage)
  try {
    const { positionals, values } = parseArgs({ args: argv.slice(words.length), allowPositionals: true, options: command.options ?? {} })
    const wanted = command.usage.split(' ').slice(words.length)
    if (positionals.length !== wanted.length || positionals.includes('')) throw new Error('The number of arguments is wrong.')
    return { command, values: positionals, options: values }
  } catch (error) {
    // The input may be a password, so it is not repeated.
    const reason =
      (error as { code?: string }).code === undefined
        ? (error as Error).message
        : 'An option is unknown, or has a value that it does not take.'
    throw new UsageFault(`${reason} Usage: npm run admin -- ${command.usage} (npm run admin -- help describes its options).`)
  }
}

const wordsOf = (usage: string) => usage.split(' ').filter((word) => word !== word.toUpperCase())

async function run(command: Command | FileCommand | MachineCommand, values: string[], options: Record<string, unknown>): Promise<void> {
  const environment = readEnvironment()
  const config = readConfig(environment)
  keepTemporaryFilesIn(config.dataDir, environment)
  try {
    await runWith(config, command, values, options)
  } catch (error) {
    // Often the command is run by another user than the product.
    const fault = error instanceof DatabaseFault ? error : startFaultOf(error, placeOf(error, config))
    throw fault === null ? error : new Refusal(fault.message, { cause: error })
  }
}

/** The folder that an error is about: messages of the database do not name it. */
function placeOf(error: unknown, { dataDir, databaseUrl }: Config): string {
  const isOfDatabase = String((error as { code?: unknown }).code).startsWith('SQLITE_') && !isPostgres(databaseUrl)
  return isOfDatabase ? dirname(sqliteFile(databaseUrl)) : dataDir
}

async function runWith(
  config: Config,
  command: Command | FileCommand | MachineCommand,
  values: string[],
  options: Record<string, unknown>,
): Promise<void> {
  const print = (line: string) => console.log(plain(line))
  if ('runOnMachine' in command) return command.runOnMachine({ config, print })
  if ('runOnFiles' in command) return command.runOnFiles({ config, file: values[0] ?? '', withKey: options['with-key'] === true, print })
  const installation = await openAdministration({ ...config, secretKey: secretKeyOf(config) })
  try {
    if (command.needsKey === true && (await installation.hasAnotherKey())) console.error(ANOTHER_KEY)
    await command.run({
      installation,
      values,
      has: (option) => options[option] === true,
      text: (option) => (typeof options[option] === 'string' ? options[option] : undefined),
      readSecret,
      linkTo: (path) => `${config.publicUrl?.replace(/\/+$/, '') ?? `http://127.0.0.1:${config.port}`}${path}`,
      print,
      table: (rows) => (options['json'] === true ? console.log(JSON.stringify(rows)) : linesOf(rows).forEach(print)),
    })
  } finally {
    await installation.close()
  }
}

/** The key of the product. The product creates one at its first start, so without a key there is no installation. */
function secretKeyOf({ dataDir, databaseUrl, secretKey }: Config): string {
  if (secretKey !== undefined) return secretKey
  const stored = storedSecretKey({ path: dataDir })
  if (stored === null && isPostgres(databaseUrl)) throw new Refusal(`There is no key in ${dataDir}: set SECRET_KEY to that of the product.`)
  if (stored === null)
    throw new Refusal(`There is no installation in ${dataDir}: set DATA_DIR to the folder of the product, or start the product once.`)
  return stored
}

/** Reads the first line of standard input; prompts a person without echoing what they type. */
async function readSecret(): Promise<string> {
  const isPerson = process.stdin.isTTY
  if (isPerson) process.stderr.write('Password, which is not shown: ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isPerson })
  try {
    for await (const line of lines) return line
    throw new Refusal('There is no password on the standard input.')
  } finally {
    lines.close()
    if (isPerson) process.stderr.write('\n')
  }
}

function linesOf(rows: Record<string, string | number | boolean>[]): string[] {
  if (rows.length === 0) return ['There are none.']
  const names = Object.keys(rows[0] ?? {})
  const cells = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cellOf(row[name] ?? '')))]
  const widths = names.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  return cells.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A cell of a table on one line: a line break in a name would look like another row. */
const cellOf = (value: string | number | boolean) => plain(String(value)).replaceAll('\n', '\ufffd')

/** Removes control characters and bidirectional marks: names come from any user. */
function plain(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

function help(): string {
  const rows = COMMANDS.map(({ usage, help: text }) => `  ${usage}\n      ${text}`)
  return [
    'npm run admin -- COMMAND',
    '',
    ...rows,
    '',
    'The commands read the same options as the product (DATA_DIR, SECRET_KEY, PUBLIC_URL …). Unless noted otherwise they work while the product runs.',
    'Exit code: 0 success, 1 failure, 2 invalid arguments.',
  ].join('\n')
}

process.exitCode = await main(process.argv.slice(2))
