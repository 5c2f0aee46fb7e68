/** The commands of `npm run admin`, one row each. */
import type { ParseArgsConfig } from 'node:util'
import type { Administration } from '../../backend/administration.ts'
import type { Config } from '#config/read-config.ts'
import { Refusal } from '../../backend/administration.ts'
import { backup, moveTo, restore } from './backup.ts'
import { compactDatabase } from './compact.ts'
import { doctor } from './doctor.ts'

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
  run: (context: Context) => Promise<void>
}

/** Works on files, not on the open database. */
export type FileCommand = Omit<Command, 'run'> & {
  runOnFiles: (context: { config: Config; file: string; withKey: boolean; print: (line: string) => void }) => Promise<void>
}

const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const
const JSON_OPTION = { json: { type: 'boolean' } } as const

const WITH_KEY = { 'with-key': { type: 'boolean' } } as const

export const COMMANDS: readonly (Command | FileCommand | MachineCommand)[] = [
  {
    usage: 'doctor',
    help: 'Says what this machine has for the parts that are optional, and tries them: the browser that renders pages, its version and its sandbox.',
    runOnMachine: doctor,
  },
  {
    usage: 'backup FILE',
    help: 'Writes a copy of the database, SQLite or PostgreSQL, to a new file, checked as a whole, while the product may be running. --with-key puts the secret key beside it, as FILE.key.',
    options: WITH_KEY,
    runOnFiles: backup,
  },
  {
    usage: 'restore FILE',
    help: 'Puts a backup in the place of the database, once it was checked; the product must be stopped. The database before it is kept beside it; a PostgreSQL must be empty. A backup of either database can be restored into either. --with-key restores FILE.key too.',
    options: WITH_KEY,
    runOnFiles: restore,
  },
  {
    usage: 'move-to URL',
    help: 'Copies an embedded installation into an empty PostgreSQL, postgres://user:password@host/database, and its stored files into the bucket of BLOB_STORE where that is set; the product must be stopped. What is here stays as it is.',
    runOnFiles: moveTo,
  },
  {
    usage: 'compact',
    help: 'Writes the database anew without its free space; the product must be stopped, and the disk needs room for a copy. A database made by a version before deletion also learns to give space back by itself.',
    runOnFiles: compactDatabase,
  },
  {
    usage: 'retention DAYS',
    help: 'Says what RETENTION_DAYS=DAYS would delete at this moment, in all teams. Deletes nothing.',
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
    help: 'Lists all users, the oldest first. --json for programs.',
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
    help: 'Creates a user, whose address counts as verified, and prints a link by which they set a password, good once and for an hour. --password-stdin reads the password instead; --administrator makes them one.',
    options: { ...PASSWORD, administrator: { type: 'boolean' } },
    async run({ installation, values: [email = ''], has, linkTo, print, readSecret }) {
      const password = has('password-stdin') ? await readSecret() : null
      await installation.users.create({ email, isAdministrator: has('administrator'), password })
      print(`Created ${email}.`)
      if (password === null) print(linkTo(`/reset-password/${await installation.users.resetToken(email)}`))
    },
  },
  {
    usage: 'users disable EMAIL',
    help: 'Signs a user out everywhere at once, and lets them in no more. The API keys of their teams go on.',
    async run({ installation, values: [email = ''], print }) {
      await installation.users.disable(email)
      print(`Disabled ${email}.`)
    },
  },
  {
    usage: 'users enable EMAIL',
    help: 'Lets a disabled user in again.',
    async run({ installation, values: [email = ''], print }) {
      await installation.users.enable(email)
      print(`Enabled ${email}.`)
    },
  },
  {
    usage: 'users reset-password EMAIL',
    help: 'Prints a link by which the user sets a new password, good once and for an hour. --password-stdin reads the new password instead, and signs the user out everywhere.',
    options: PASSWORD,
    async run({ installation, values: [email = ''], has, linkTo, print, readSecret }) {
      if (!has('password-stdin')) return print(linkTo(`/reset-password/${await installation.users.resetToken(email)}`))
      await installation.users.setPassword(email, await readSecret())
      print(`The password of ${email} is set.`)
    },
  },
  {
    usage: 'teams list',
    help: 'Lists all teams, the oldest first. --json for programs.',
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
    help: 'Lists the proxy servers of the installation, which every team may choose, the oldest first. --json for programs.',
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
    help: 'Adds a proxy server for all teams: URL is TYPE://[USERNAME@]HOST:PORT, its type http, socks4 or socks5. An address that is not public must be in EGRESS_ALLOW. --name gives it another name than its slug, --premium keeps it for paid plans, --default lets runs go through it that name none and whose team has no default, --password-stdin reads its password.',
    options: { ...PASSWORD, name: { type: 'string' }, premium: { type: 'boolean' }, default: { type: 'boolean' } },
    async run({ installation, values: [slug = '', address = ''], has, print, readSecret, text }) {
      const password = has('password-stdin') ? await readSecret() : null
      const category = has('premium') ? 'premium' : 'general'
      await installation.proxies.add({ slug, address, name: text('name') ?? slug, category, isDefault: has('default'), password })
      print(`Added ${slug}.`)
    },
  },
  {
    usage: 'proxies remove SLUG',
    help: 'Removes a proxy server of the installation. What names it and starts later goes through the default one, or none.',
    async run({ installation, values: [slug = ''], print }) {
      await installation.proxies.remove(slug)
      print(`Removed ${slug}.`)
    },
  },
  {
    usage: 'plans list',
    help: 'Lists all plans in their order, also those that can no longer be chosen. --json for programs.',
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
          kept: source === 'file' ? 'in the file' : 'here',
          teams,
        })),
      )
    },
  },
  {
    usage: 'plans check FILE',
    help: 'Says whether a catalogue of plans can be used, and changes nothing.',
    async run({ installation, values: [file = ''], print }) {
      print(`${file} can be used: ${installation.plans.check(file).join(', ')}.`)
    },
  },
  {
    usage: 'plans set FILE',
    help: 'Adds the plans of a file, or changes those with their ids; other plans stay as they are. What is also in PLANS_FILE is as that says again after the next start.',
    async run({ installation, values: [file = ''], print }) {
      for (const name of await installation.plans.set(file)) print(`Set ${name}.`)
    },
  },
  {
    usage: 'plans withdraw PLAN',
    help: 'Offers a plan no more. Teams that have it keep it. PLAN is its id.',
    async run({ installation, values: [plan = ''], print }) {
      await installation.plans.withdraw(plan)
      print(`Withdrew ${plan}.`)
    },
  },
  {
    usage: 'plans give TEAM PLAN',
    help: 'Gives a team an unbilled plan, with full credits. TEAM and PLAN are their ids.',
    async run({ installation, values: [team = '', plan = ''], print }) {
      await installation.plans.give(team, plan)
      print(`The team ${team} has the plan ${plan}.`)
    },
  },
  {
    usage: 'plans take TEAM',
    help: 'Ends the unbilled plan of a team: the free one, or one that was given. What the team pays for is cancelled in its settings.',
    async run({ installation, values: [team = ''], print }) {
      await installation.plans.takeBack(team)
      print(`The team ${team} has no plan.`)
    },
  },
]
