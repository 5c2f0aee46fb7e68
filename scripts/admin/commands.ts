/** The commands of `npm run admin`, one row each. */
import type { ParseArgsConfig } from 'node:util'
import type { Administration } from '../../backend/administration.ts'
import type { Config } from '#config/read-config.ts'
import { Refusal, checkPlans } from '../../backend/administration.ts'
import { backup, moveTo, restore } from './backup.ts'
import { compactDatabase } from './compact.ts'
import { doctor } from './doctor.ts'
import { typedPath } from './typed-path.ts'

/** What a command can use. */
export type Context = {
  installation: Administration
  /** The arguments after the command's words, as many as its usage names. */
  values: string[]
  /** Whether an option was given. */
  has: (option: string) => boolean
  /** The value of an option; undefined without it. */
  text: (option: string) => string | undefined
  /** A secret from standard input: never an argument, which every user of the machine can see. */
  readSecret: () => Promise<string>
  /** The URL of a dashboard page. */
  linkTo: (path: string) => string
  print: (line: string) => void
  /** Prints rows under their headings, or as JSON with `--json`. */
  table: (rows: Record<string, string | number | boolean>[]) => void
}

/** Needs only the machine, no installation. */
export type MachineCommand = Omit<Command, 'run'> & {
  runOnMachine: (context: { config: Config; print: (line: string) => void }) => Promise<void>
}

export type Command = {
  /** Its words and its arguments: `users disable EMAIL`. */
  usage: string
  help: string
  options?: NonNullable<ParseArgsConfig['options']>
  /** It makes a link or encrypts a password, which only a product with the same secret key can read. */
  needsKey?: boolean
  run: (context: Context) => Promise<void>
}

/** Works on files, not on the open database. */
export type FileCommand = Omit<Command, 'run'> & {
  runOnFiles: (context: { config: Config; file: string; withKey: boolean; print: (line: string) => void }) => Promise<void> | void
}

const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const
const JSON_OPTION = { json: { type: 'boolean' } } as const

const WITH_KEY = { 'with-key': { type: 'boolean' } } as const

export const COMMANDS: readonly (Command | FileCommand | MachineCommand)[] = [
  {
    usage: 'doctor',
    help: 'Finds and tests the optional parts: the browser that renders pages (its path, version and sandbox), and the mail server, bucket, renderers and SearXNG that options name.',
    runOnMachine: doctor,
  },
  {
    usage: 'backup FILE',
    help: 'Copies the database, SQLite or PostgreSQL, to a new file, and checks the whole copy. The product may be running. --with-key copies the secret key, too, as FILE.key.',
    options: WITH_KEY,
    runOnFiles: backup,
  },
  {
    usage: 'restore FILE',
    help: 'Checks a backup and replaces the database with it. Stop the product first. The previous SQLite file is kept beside the new one; a PostgreSQL database must be empty. A backup of either kind can be restored into either. --with-key restores FILE.key, too.',
    options: WITH_KEY,
    runOnFiles: restore,
  },
  {
    usage: 'move-to URL',
    help: 'Copies an embedded installation into an empty PostgreSQL database, postgres://user:password@host/database, and its stored files into the bucket of BLOB_STORE if that is set. Stop the product first. The SQLite file and the stored files do not change.',
    runOnFiles: moveTo,
  },
  {
    usage: 'compact',
    help: 'Rewrites the database without its free space. Stop the product first; the disk needs room for a copy. A database that an early version created will also return free space by itself from then on.',
    runOnFiles: compactDatabase,
  },
  {
    usage: 'retention DAYS',
    help: 'Shows what RETENTION_DAYS=DAYS would delete now, in all teams. Deletes nothing.',
    async run({ installation, values: [days = ''], print }) {
      if (!/^[1-9]\d{0,4}$/.test(days)) throw new Refusal('DAYS is a whole number, 1 or more.')
      const { runs, pages, bytes, isEstimate, oldestAt } = await installation.expired(Number(days))
      if (runs === 0) return print(`No job ended more than ${days} days ago.`)
      print(`Jobs that ended more than ${days} days ago: ${runs}`)
      print(`Pages of these crawls: ${pages}, ${isEstimate ? 'about ' : ''}${(bytes / 1e6).toFixed(1)} MB`)
      if (oldestAt !== null) print(`The oldest ended ${new Date(oldestAt).toISOString()}.`)
    },
  },
  {
    usage: 'users list',
    help: 'Lists all users, the oldest first. --json prints JSON.',
    options: JSON_OPTION,
    async run({ installation, table }) {
      const users = await installation.users.list()
      table(
        users.map(({ email, name, isActive, isAdministrator, emailVerified, createdAt }) => ({
          email,
          name,
          state: isActive ? (emailVerified ? 'active' : 'unverified') : 'disabled',
          role: isAdministrator ? 'administrator' : 'user',
          created: new Date(createdAt).toISOString(),
        })),
      )
    },
  },
  {
    usage: 'users create EMAIL',
    help: 'Creates a user whose address counts as verified, and prints a link to set a password, valid once and for an hour. --password-stdin reads the password instead; --administrator makes the user an administrator.',
    options: { ...PASSWORD, administrator: { type: 'boolean' } },
    needsKey: true,
    async run({ installation, values: [email = ''], has, linkTo, print, readSecret }) {
      const password = has('password-stdin') ? await readSecret() : null
      await installation.users.create({ email, isAdministrator: has('administrator'), password })
      print(`Created ${email}.`)
      if (password === null) print(linkTo(`/reset-password/${await installation.users.resetToken(email)}`))
    },
  },
  {
    usage: 'users disable EMAIL',
    help: 'Signs a user out everywhere at once, and blocks sign-in. The API keys of their teams keep working.',
    async run({ installation, values: [email = ''], print }) {
      await installation.users.disable(email)
      print(`Disabled ${email}.`)
    },
  },
  {
    usage: 'users enable EMAIL',
    help: 'Allows a disabled user to sign in again.',
    async run({ installation, values: [email = ''], print }) {
      await installation.users.enable(email)
      print(`Enabled ${email}.`)
    },
  },
  {
    usage: 'users reset-password EMAIL',
    help: 'Prints a link to set a new password, valid once and for an hour. --password-stdin reads the new password instead, and signs the user out everywhere.',
    options: PASSWORD,
    needsKey: true,
    async run({ installation, values: [email = ''], has, linkTo, print, readSecret }) {
      if (!has('password-stdin')) return print(linkTo(`/reset-password/${await installation.users.resetToken(email)}`))
      await installation.users.setPassword(email, await readSecret())
      print(`The password of ${email} is set.`)
    },
  },
  {
    usage: 'teams list',
    help: 'Lists all teams, the oldest first. --json prints JSON.',
    options: JSON_OPTION,
    async run({ installation, table }) {
      const teams = await installation.listTeams()
      table(
        teams.map(({ id, name, owner, membersCount, createdAt }) => ({
          id,
          name,
          owner,
          members: membersCount,
          created: new Date(createdAt).toISOString(),
        })),
      )
    },
  },
  {
    usage: 'proxies list',
    help: 'Lists the proxy servers that every team may choose, the oldest first. --json prints JSON.',
    options: JSON_OPTION,
    async run({ installation, table }) {
      const proxies = await installation.proxies.list()
      table(
        proxies.map(({ slug, name, category, address, hasPassword, isDefault, createdAt }) => ({
          slug,
          name,
          category,
          address,
          password: hasPassword,
          default: isDefault,
          created: new Date(createdAt).toISOString(),
        })),
      )
    },
  },
  {
    usage: 'proxies add SLUG URL',
    help: 'Adds a proxy server for all teams. URL is TYPE://[USERNAME@]HOST:PORT; TYPE is http, socks4 or socks5. Jobs can use a private address only if EGRESS_ALLOW contains it. --name sets its name, which otherwise is the slug; --premium reserves it for paid plans; --default makes it the proxy of jobs that name none and whose team has no default; --password-stdin reads its password.',
    options: { ...PASSWORD, name: { type: 'string' }, premium: { type: 'boolean' }, default: { type: 'boolean' } },
    needsKey: true,
    async run({ installation, values: [slug = '', address = ''], has, print, readSecret, text }) {
      const password = has('password-stdin') ? await readSecret() : null
      const category = has('premium') ? 'premium' : 'general'
      await installation.proxies.add({ slug, address, name: text('name') ?? slug, category, isDefault: has('default'), password })
      print(`Added ${slug}.`)
    },
  },
  {
    usage: 'proxies remove SLUG',
    help: 'Removes a proxy server of the installation. Jobs that name it and start or resume later end with the reason proxy_missing.',
    async run({ installation, values: [slug = ''], print }) {
      await installation.proxies.remove(slug)
      print(`Removed ${slug}.`)
    },
  },
  {
    usage: 'plans list',
    help: 'Lists all plans in their order, also those that can no longer be chosen. --json prints JSON.',
    options: JSON_OPTION,
    async run({ installation, table }) {
      const plans = await installation.plans.list()
      table(
        plans.map(({ id, name, group, price, isDefault, isActive, source, teams }) => ({
          id,
          name,
          group,
          price,
          state: isActive ? (isDefault ? 'free' : 'offered') : 'withdrawn',
          kept: source === 'file' ? 'in PLANS_FILE' : 'in the database',
          teams,
        })),
      )
    },
  },
  {
    usage: 'plans check FILE',
    help: 'Checks whether a file of plans is valid. Changes nothing, and needs no installation.',
    runOnFiles: ({ file, print }) => print(`${file} can be used: ${checkPlans(typedPath(file)).join(', ')}.`),
  },
  {
    usage: 'plans set FILE',
    help: 'Adds the plans in a file, and changes those that exist with the same id. Other plans stay as they are. The next start overwrites plans that PLANS_FILE contains.',
    async run({ installation, values: [file = ''], print }) {
      for (const name of await installation.plans.set(typedPath(file))) print(`Set ${name}.`)
    },
  },
  {
    usage: 'plans withdraw PLAN',
    help: 'Stops offering a plan. Teams that have it keep it. PLAN is its id.',
    async run({ installation, values: [plan = ''], print }) {
      await installation.plans.withdraw(plan)
      print(`Withdrew ${plan}.`)
    },
  },
  {
    usage: 'plans give TEAM PLAN',
    help: 'Gives a team a plan with full credits, without payment. TEAM and PLAN are their ids.',
    async run({ installation, values: [team = '', plan = ''], print }) {
      await installation.plans.give(team, plan)
      print(`The team ${team} has the plan ${plan}.`)
    },
  },
  {
    usage: 'plans take TEAM',
    help: 'Ends the plan of a team that does not pay for it: the free plan, or one that you gave. The team cancels a paid plan in its settings.',
    async run({ installation, values: [team = ''], print }) {
      await installation.plans.takeBack(team)
      print(`The team ${team} no longer has a plan.`)
    },
  },
]
