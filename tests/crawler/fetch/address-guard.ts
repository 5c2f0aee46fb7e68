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

guard('an address in bytes gets the same verdict as its text', () => {
  assert.is(classifyAddress(Uint8Array.of(127, 0, 0, 1)), 'loopback')
  assert.is(classifyAddress(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1)), 'private')
  assert.equal([...parseAddress('1:2::8')!], [0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8])
})

guard('an entry of EGRESS_ALLOW has an address, a range and ports', () => {
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
  guard(`"${text}" is an invalid entry of EGRESS_ALLOW, and the error says so`, () =>
    assert.throws(() => parseEgressAllow(text), /EGRESS_ALLOW/),
  )
}

guard('ports of other services are refused', () => {
  for (const port of [0, 22, 25, 6379, 5432, 27017, 65_536]) assert.not.ok(isWebPort(port), String(port))
  for (const port of [80, 443, 8080, 8443, 3000, 4600]) assert.ok(isWebPort(port), String(port))
})

guard('internal host names are recognised by their form', () => {
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost', 'metadata', 'x.internal', 'x.local', 'x.home.arpa', 'x.svc'])
    assert.ok(isInternalName(name), name)
  for (const name of ['example.com', 'localhost.example.com', 'internal.example.com']) assert.not.ok(isInternalName(name), name)
})

guard('every known spelling of an address gets the right verdict, before any connection', async () => {
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

guard('the operator can allow internal addresses, and only those addresses are reachable', async () => {
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

// The first and the last address of each range, and their neighbours outside.
const EDGES: [address: string, kind: string][] = [
  ['0.255.255.255', 'unspecified'],
  ['1.0.0.0', 'public'],
  ['168.63.129.15', 'public'],
  ['168.63.129.17', 'public'],
  ['::2', 'reserved'],
  ['2001:1::1', 'public'],
  ['2001:1::2', 'public'],
  ['2001:1::3', 'public'],
  ['2001:3::', 'public'],
  ['2001:3:ffff::', 'public'],
  ['2001:4:112::', 'public'],
  ['2001:4:112:ffff::', 'public'],
  ['2001::', 'tunnel'],
  ['2001:0:ffff::', 'tunnel'],
  ['2001:db8::', 'documentation'],
  ['2001:db8:ffff::', 'documentation'],
  ['2001:db9::', 'public'],
  ['3fff::', 'documentation'],
  ['3fff:fff:ffff::', 'documentation'],
  ['3fff:1000::', 'public'],
  ['2000::', 'public'],
  ['3ffe::', 'public'],
  ['4000::', 'reserved'],
  ['fe80::', 'link-local'],
  ['febf:ffff::', 'link-local'],
  ['fec0::', 'private'],
  ['feff:ffff::', 'private'],
  ['ff00::', 'multicast'],
  ['ffff::', 'multicast'],
  ['64:ff9b:0:0:0:1::', 'reserved'],
]
for (const [address, kind] of EDGES) guard(`${address} is ${kind}`, () => assert.is(classifyAddress(address), kind))

guard('only numbers of existing ports are ports', () => {
  assert.not.ok(isWebPort(0))
  assert.ok(isWebPort(2))
  assert.ok(isWebPort(65_535))
  assert.not.ok(isWebPort(65_536))
})

guard('IPv6 is parsed in each valid spelling and in no other', () => {
  const good = [
    '1:2:3:4:5:6:7:8',
    '::',
    '1::',
    '::8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::8',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
  ]
  for (const text of good) assert.ok(parseAddress(text), text)
  const bad = [
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '1::2::3',
    ':::',
    '12345::',
    'g::',
    '::1.2.3.256',
    '::1.2.3',
    '1:2:3:4:5:6:7:1.2.3.4',
  ]
  for (const text of bad) assert.is(parseAddress(text), null, text)
  assert.equal([...parseAddress('::ffff:1.2.3.4')!], [1, 2, 3, 4])
  // All but the mapped ones stay IPv6.
  for (const text of [
    '1::ffff:1.2.3.4',
    '0:1::ffff:1.2.3.4',
    '0:0:0:0:1:ffff:1.2.3.4',
    '::ffff:0:1.2.3.4',
    '::ff00:1.2.3.4',
    '::ff:1.2.3.4',
    '100::ffff:1.2.3.4',
  ])
    assert.is(parseAddress(text)!.length, 16, text)
  assert.is(isAllowed(Uint8Array.from([...Array<number>(10).fill(0), 255, 255, 10, 0, 0, 1]), 80, parseEgressAllow('10.0.0.1')), true)
})

guard('an entry of EGRESS_ALLOW covers its bits and ports, and no address of the other family', () => {
  const allows = (allowance: string, address: string, port = 80) => isAllowed(address, port, parseEgressAllow(allowance))
  assert.ok(allows('10.0.0.0/9', '10.127.0.1'))
  assert.not.ok(allows('10.0.0.0/9', '10.128.0.1'))
  assert.ok(allows('0.0.0.0/0', '8.8.8.8'))
  assert.not.ok(allows('0.0.0.0/0', '2001:db8::1'))
  assert.not.ok(allows('::/0', '8.8.8.8'))
  assert.not.ok(allows('2001::/8', '32.1.2.3'))
  assert.ok(allows('::ffff:10.0.0.0/104', '10.1.2.3'))
  assert.not.ok(allows('::ffff:10.0.0.0/104', '11.1.2.3'))
  assert.ok(allows('::ffff:10.0.0.0/96', '11.1.2.3'))
  assert.ok(allows('10.0.0.1', '10.0.0.1', 1))
  assert.ok(allows('10.0.0.1:0-80', '10.0.0.1', 0))
  assert.ok(allows('10.0.0.1', '10.0.0.1', 0))
  assert.not.ok(allows('', '10.0.0.1'))
  assert.not.ok(allows('10.0.0.1', 'no address'))
  for (const wrong of ['10.0.0.1/33', '::1/129', '::ffff:10.0.0.1/95', '10.0.0.1:9-8', '10.0.0.1:1-65536', 'x', '/8'])
    assert.throws(() => parseEgressAllow(wrong))
})

guard.run()
