/** The compose files as data: services with their environment, as Docker would read them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export type Service = {
  image?: string
  build?: string
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  env_file?: { path: string; required?: boolean }[]
  healthcheck?: { test: string[] }
  networks?: string[]
  ports?: string[]
  restart?: string
  read_only?: boolean
  tmpfs?: string[]
  deploy?: { replicas?: number; resources?: { limits?: { cpus?: string; memory?: string } } }
}

export type ComposeFile = { services: Record<string, Service>; networks?: Record<string, { internal?: boolean } | null>; volumes?: object }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (name: string) => readFileSync(`${root}/${name}`, 'utf8')

export const readCompose = (name: string): ComposeFile => parse(read(name), { merge: true }) as ComposeFile

/** Every document of a YAML file, such as those of Kubernetes. */
export const readDocuments = (name: string): Record<string, unknown>[] =>
  read(name)
    .split(/^---$/m)
    .map((text) => parse(text) as Record<string, unknown> | null)
    .filter((one) => one !== null)

/** The command of the image. */
export function imageCommand(): string[] {
  const line = read('Dockerfile')
    .split('\n')
    .findLast((one) => one.startsWith('CMD '))!
  return JSON.parse(line.slice('CMD '.length)) as string[]
}

/** The environment variables of the image. */
export function imageEnvironment(): Record<string, string> {
  const [, last = ''] = read('Dockerfile')
    .split(/^FROM .*$/m)
    .slice(-2)
  const words = /^ENV (.*)$/m.exec(last)![1]!.split(' ')
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]))
}

/** `${NAME:-default}` and `${NAME:?reason}`, each as `set` or by its default. Throws for a name that must be set and is not. */
export function interpolated(text: string, set: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const value = set[name]
    if (value !== undefined) return value
    if (kind === '-') return rest
    throw new Error(`${name} is not set: ${rest}`)
  })
}
