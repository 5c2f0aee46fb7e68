import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  classifyAddress,
  isAllowed,
  isInternalName,
  isWebPort,
  parseAddress,
  parseEgressAllow,
} from '#backend/crawler/fetch/address-guard.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'

const guard = suite('which addresses may be dialled')

const KINDS: [address: string, kind: string][] = [
  ['8.8.8.8', 'public'],
  ['0.0.0.0', 'unspecified'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.15.255.255', 'public'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', 'public'],
  ['192.168.1.1', 'private'],
  ['100.63.255.255', 'public'],
  ['100.64.0.0', 'shared'],
  ['100.127.255.255', 'shared'],
  ['100.128.0.0', 'public'],
  ['169.254.169.254', 'link-local'],
  ['168.63.129.16', 'platform'],
  ['192.0.0.1', 'reserved'],
  ['192.0.2.7', 'documentation'],
  ['192.88.99.1', 'tunnel'],
  ['198.18.0.1', 'benchmarking'],
  ['198.20.0.1', 'public'],
  ['203.0.113.1', 'documentation'],
  ['223.255.255.255', 'public'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:8.8.8.8', 'public'],
  ['::127.0.0.1', 'reserved'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['64:ff9b:1::1', 'reserved'],
  ['2002:7f00:1::', 'tunnel'],
  ['2001::1', 'tunnel'],
  ['2001:2::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['2001:4860:4860::8888', 'public'],
  ['2606:4700::1111', 'public'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'reserved'],
  ['fd00:ec2::254', 'private'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'private'],
  ['ff02::1', 'multicast'],
  ['1.2.3', 'invalid'],
  ['1.2.3.256', 'invalid'],
  ['::1::2', 'invalid'],
  ['1:2:3:4:5:6:7:8:9', 'invalid'],
  ['example.com', 'invalid'],
]
for (const [address, kind] of KINDS) guard(`${address} is ${kind}`, () => assert.is(classifyAddress(address), kind))

guard('an address in bytes is judged like its text', () => {
  assert.is(classifyAddress(Uint8Array.of(127, 0, 0, 1)), 'loopback')
  assert.is(classifyAddress(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1)), 'private')
  assert.equal([...parseAddress('1:2::8')!], [0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8])
})

guard('an allowance has an address, a range and ports', () => {
  const allowances = parseEgressAllow('127.0.0.1:4600, 10.20.0.0/16:443 ,192.168.7.7,[fd00::]/8:8000-8010,[::1]:80')
  const cases: [address: string, port: number, expected: boolean][] = [
    ['127.0.0.1', 4600, true],
    ['127.0.0.1', 4601, false],
    ['127.0.0.2', 4600, false],
    ['::ffff:127.0.0.1', 4600, true],
    ['10.20.255.1', 443, true],
    ['10.21.0.1', 443, false],
    ['10.20.0.1', 80, false],
    ['192.168.7.7', 1, true],
    ['192.168.7.8', 1, false],
    ['fd12::1', 8005, true],
    ['fd12::1', 8011, false],
    ['fe80::1', 8005, false],
    ['::1', 80, true],
    ['::1', 81, false],
  ]
  for (const [address, port, expected] of cases) assert.is(isAllowed(address, port, allowances), expected, `${address} ${port}`)
  assert.equal(parseEgressAllow(''), [])
})

for (const text of [
  'localhost',
  '127.0.0.1/33',
  '::1:80',
  '127.0.0.1:x',
  '127.0.0.1:9-8',
  '127.0.0.1:70000',
  '300.1.1.1',
  '*',
  '[::1]/129',
]) {
  guard(`"${text}" is no allowance, and says so`, () => assert.throws(() => parseEgressAllow(text), /EGRESS_ALLOW/))
}

guard('ports of other services are no web ports', () => {
  for (const port of [0, 22, 25, 6379, 5432, 27017, 65_536]) assert.not.ok(isWebPort(port), String(port))
  for (const port of [80, 443, 8080, 8443, 3000, 4600]) assert.ok(isWebPort(port), String(port))
})

guard('names of a network’s inside are told by their form', () => {
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost', 'metadata', 'x.internal', 'x.local', 'x.home.arpa', 'x.svc'])
    assert.ok(isInternalName(name), name)
  for (const name of ['example.com', 'localhost.example.com', 'internal.example.com']) assert.not.ok(isInternalName(name), name)
})

guard('every known spelling gets the right verdict, before anything is dialled', async () => {
  const site = await startHostileSite()
  // a name server that knows the public names of the vectors only by saying nothing: unresolved names are not refused
  const egress = createEgress({ allow: '', resolver: site.resolver, userAgent: 'test' })
  try {
    const vectors = await site.vectors()
    assert.ok(vectors.length > 100)
    for (const { url, verdict } of vectors) assert.is((await egress.judgeUrl(url)) === null ? 'allow' : 'deny', verdict, url)
    assert.is((await site.hits()).canary.requests, 0)
  } finally {
    await egress.close()
    await site.stop()
  }
})

guard('the operator opens an inside, and only what was named', async () => {
  const egress = createEgress({ allow: '127.0.0.1:4600', resolver: '127.0.0.1:9', userAgent: 'test' })
  const cases: [url: string, expected: null | 'refused_address'][] = [
    ['http://127.0.0.1:4600/', null],
    ['http://localhost:4600/', null],
    ['http://2130706433:4600/', null],
    ['http://127.0.0.1:4601/', 'refused_address'],
    ['http://localhost:4601/', 'refused_address'],
    ['http://127.0.0.1/', 'refused_address'],
    ['https://127.0.0.1:4600/', null],
    ['http://[::1]:4600/', 'refused_address'],
    ['http://10.0.0.1/', 'refused_address'],
    ['http://8.8.8.8:22/', 'refused_address'],
    ['http://8.8.8.8/', null],
    ['not a url', 'refused_address'],
  ]
  for (const [url, expected] of cases) assert.is(await egress.judgeUrl(url), expected, url)
  await egress.close()
})

guard.run()
