/** The container files: their options exist, secrets have no default, and the stated services are defined. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { OPTIONS } from '#config/options.ts'
import { readConfig } from '#config/read-config.ts'
import { imageCommand, imageEnvironment, interpolated, readCompose, readDocuments } from '#tests/support/scale/compose-file.ts'
import type { Service } from '#tests/support/scale/compose-file.ts'
import { START } from '../../scripts/start-command.ts'

const files = suite('compose files and the image')
const FILES = ['docker-compose.yml', 'docker-compose.scale.yml']
const root = fileURLToPath(new URL('../..', import.meta.url))
const VALUE = 'q7Xw2mZk9Tb4Vn6Rj1Hs8Lc5Yd3Gf0Pa'
const values = Object.fromEntries(
  FILES.flatMap((name) => [...readFileSync(`${root}/${name}`, 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, secret]) => [secret!, VALUE])),
)
const isOurs = ({ build }: Service) => build !== undefined
const filled = ({ environment = {} }: Service) => ({
  ...imageEnvironment(),
  ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value, values)])),
})

for (const name of FILES) {
  const { services } = readCompose(name)
  files(`${name} sets only existing options, and they are a valid configuration`, () => {
    for (const [service, parts] of Object.entries(services).filter(([, one]) => isOurs(one))) {
      const { NODE_ENV, ...environment } = filled(parts)
      assert.is(NODE_ENV, 'production')
      for (const variable of Object.keys(environment)) assert.ok(variable in OPTIONS, `${service} sets ${variable}`)
      assert.ok(readConfig(environment), service)
      assert.is(parts.command, undefined, `${service} runs what the image runs`)
    }
  })

  files(
    `${name} is safe: it has limits, a read-only file system, images of one version, and one port that only this machine reaches`,
    () => {
      for (const [service, parts] of Object.entries(services)) {
        assert.is(parts.restart, 'unless-stopped', service)
        assert.ok(isOurs(parts) || /:[^:]*\d+\.\d+/.test(parts.image ?? ''), `${service}: ${parts.image}`)
        assert.not.match(parts.image ?? '', /latest/)
        if (isOurs(parts)) assert.ok(parts.read_only, `${service} may write to its image`)
        else assert.ok(parts.healthcheck, `${service} is not watched`)
        if (name !== 'docker-compose.yml')
          assert.equal(Object.keys(parts.deploy?.resources?.limits ?? {}), ['cpus', 'memory'], `${service} has no limits`)
        for (const port of parts.ports ?? []) assert.match(port, /^127\.0\.0\.1:/)
      }
      assert.is(Object.values(services).filter(({ ports }) => ports !== undefined).length, 1)
    },
  )

  files(`${name} contains no secret: Docker refuses to start it until secrets are set`, () => {
    for (const [service, { environment = {} }] of Object.entries(services))
      for (const [variable, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|TOKEN|AUTH|DATABASE_URL|REDIS_URL/.test(variable))
          assert.throws(() => interpolated(value, {}), /is not set/, `${service} ${variable}`)
  })
}

files('docker-compose.yml passes on the options of .env, except those that the ports and the volume depend on', () => {
  const { env_file: files, environment } = readCompose('docker-compose.yml').services['seine']!
  assert.equal(files, [{ path: '.env', required: false }])
  const { NODE_ENV: _, ...fixed } = imageEnvironment()
  assert.equal({ ...environment, ...fixed }, environment)
})

files('docker-compose.scale.yml has the stated number of processes of every role, and their servers', () => {
  const { networks, services } = readCompose('docker-compose.scale.yml')
  const roles = Object.entries(services).filter(([, one]) => isOurs(one))
  for (const [service, { environment }] of roles) assert.is(environment!['ROLE'], service)
  assert.equal(Object.fromEntries(roles.map(([service, { deploy }]) => [service, deploy?.replicas ?? 1])), {
    gateway: 1,
    api: 2,
    worker: 2,
    renderer: 1,
  })
  for (const server of ['postgres', 'valkey', 's3', 'searxng']) assert.ok(server in services, server)
  // A browser that a page has broken out of finds neither the database nor the key of the product.
  const { environment, networks: reached } = services['renderer']!
  assert.not.ok(reached!.includes('inner'))
  for (const variable of ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'AWS_SECRET_ACCESS_KEY']) assert.not.ok(variable in environment!)
  assert.ok(networks!['inner']!.internal)
})

files('the image starts the product as npm start does', () => {
  assert.equal(imageCommand(), ['node', ...START.flags, START.file])
})

files('the example for Kubernetes sets the same options as the compose file, for the same roles', () => {
  const name = 'examples/kubernetes/seine.yaml'
  assert.ok(existsSync(`${root}/${name}`))
  type Container = {
    image: string
    env?: { name: string; value?: string; valueFrom?: object }[]
    envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
    command?: string[]
    args?: string[]
    resources?: { limits?: object; requests?: object }
    lifecycle?: { preStop: { exec: { command: string[] } } }
    livenessProbe?: object
    readinessProbe?: object
  }
  type Document = {
    kind: string
    metadata: { name: string }
    data?: Record<string, string>
    stringData?: Record<string, string>
    spec?: { replicas?: number; template?: { spec: { containers: Container[]; terminationGracePeriodSeconds: number } } }
  }
  const documents = readDocuments(name) as unknown as Document[]
  const named = (kind: string, wanted: string) => documents.find(({ kind: is, metadata }) => is === kind && metadata.name === wanted)
  assert.not.ok(
    documents.some(({ kind }) => kind === 'Secret'),
    'a secret stands in the file',
  )
  const { services } = readCompose('docker-compose.scale.yml')
  for (const role of ['gateway', 'api', 'worker', 'renderer']) {
    const { replicas = 1, template } = named('Deployment', role)!.spec!
    assert.is(replicas, services[role]!.deploy?.replicas ?? 1, role)
    const [container] = template!.spec.containers
    const { args, command, env = [], envFrom = [], image, lifecycle, livenessProbe, readinessProbe, resources } = container!
    assert.equal([command, args], [undefined, undefined], `${role} runs what the image runs`)
    assert.not.match(image, /latest/)
    assert.ok(livenessProbe && readinessProbe && resources?.limits && resources.requests, role)
    // Behind a Service, requests arrive for a moment after a pod has to end. Then it has ten seconds to send its last answers.
    const [program, seconds = '0'] = lifecycle?.preStop.exec.command ?? []
    assert.is(program, role === 'gateway' || role === 'api' ? 'sleep' : undefined, role)
    assert.ok(template!.spec.terminationGracePeriodSeconds >= Number(seconds) + 15, role)
    const shared = envFrom.flatMap(({ configMapRef }) => Object.keys(named('ConfigMap', configMapRef?.name ?? '')?.data ?? {}))
    const set = [...shared, ...env.map(({ name: variable }) => variable)]
    for (const variable of set) assert.ok(variable in OPTIONS, `${role} sets ${variable}`)
    for (const variable of Object.keys(services[role]!.environment!)) assert.ok(set.includes(variable), `${role} does not set ${variable}`)
    assert.is(env.find(({ name: variable }) => variable === 'ROLE')!.value, role)
    for (const { name: variable, value } of env)
      if (/SECRET|TOKEN|DATABASE_URL|REDIS_URL/.test(variable)) assert.is(value, undefined, `${role}: ${variable} stands in the file`)
  }
})

files.run()
