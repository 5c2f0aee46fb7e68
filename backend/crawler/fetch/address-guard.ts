/**
 * Which IP addresses may be dialled. Judges the bytes of an address, never its spelling: callers resolve a name or parse a literal first.
 * An address is denied unless the IANA special-purpose registries (RFC 6890 and its updates) call it globally reachable.
 */

/** Bytes of an address: 4 for IPv4 (also when it came mapped as `::ffff:a.b.c.d`), 16 for IPv6. */
type AddressBytes = Uint8Array

type AddressKind =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'shared'
  | 'multicast'
  | 'documentation'
  | 'benchmarking'
  | 'reserved'
  | 'platform'
  | 'tunnel'
  | 'invalid'

/** An address range with ports that the operator has allowed. */
export type Allowance = { base: AddressBytes; bits: number; fromPort: number; toPort: number }

/** Only `public` addresses may be dialled without an allowance. */
export function classifyAddress(address: AddressBytes | string): AddressKind {
  const bytes = typeof address === 'string' ? parseAddress(address) : unwrapMapped(address)
  if (bytes === null) return 'invalid'
  return bytes.length === 4 ? classifyV4(bytes) : classifyV6(bytes)
}

/**
 * Parses EGRESS_ALLOW: `ADDRESS[/BITS][:PORT[-PORT]]`, comma separated, IPv6 in brackets. No port means every port.
 * @throws Error naming the invalid entry
 */
export function parseEgressAllow(text: string): Allowance[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseAllowance)
}

/** Whether an allowance covers this address and port. */
export function isAllowed(address: AddressBytes | string, port: number, allowances: readonly Allowance[]): boolean {
  if (allowances.length === 0) return false
  const bytes = typeof address === 'string' ? parseAddress(address) : unwrapMapped(address)
  return (
    bytes !== null &&
    allowances.some(
      (allowance) => port >= allowance.fromPort && port <= allowance.toPort && isInRange(bytes, allowance.base, allowance.bits),
    )
  )
}

/** Bytes of a literal in its usual spelling (no zone, no brackets); null when it is no address. A mapped IPv4 address becomes IPv4. */
export function parseAddress(text: string): AddressBytes | null {
  return text.includes(':') ? parseV6(text) : parseV4(text)
}

/** False for ports of services other than web servers: an HTTP request could make some of them act. */
export function isWebPort(port: number): boolean {
  return port > 0 && port < 65_536 && !OTHER_SERVICES.has(port)
}

/**
 * Names that are only valid within a network: single labels, and suffixes reserved for local use. They are dialled only when allowances
 * cover every address they resolve to.
 */
export function isInternalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return !name.includes('.') || INTERNAL_ENDINGS.some((ending) => name.endsWith(ending))
}

// ---- names and ports

const INTERNAL_ENDINGS =
  '.localhost .localdomain .local .internal .intranet .lan .home .corp .private .home.arpa .onion .i2p .svc .consul .alt .invalid .arpa'.split(
    ' ',
  )

/** Ports that browsers block, and ports of databases, caches and container engines. */
const OTHER_SERVICES = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 138 139 143 161 162 179 389 427 ' +
    '445 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 873 989 990 993 995 1433 1434 1521 1719 1720 1723 2049 2181 2375 2376 2379 2380 ' +
    '3306 3389 3659 4045 4190 5060 5061 5432 5672 5900 6000 6379 6380 6443 6566 6665 6666 6667 6668 6669 6679 6697 9042 9092 9100 9200 9300 10080 10250 10255 11211 ' +
    '26379 27017 27018 27019 50051'
  )
    .split(' ')
    .map(Number),
)

// ---- classification

type Range = [base: string, bits: number, kind: AddressKind]

const V4_RANGES: Range[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'platform'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'tunnel'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

/** The first match decides, so an exception stands before its range. */
const V6_RANGES: Range[] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['2001:1::1', 128, 'public'],
  ['2001:1::2', 128, 'public'],
  ['2001:1::3', 128, 'public'],
  ['2001:3::', 32, 'public'],
  ['2001:4:112::', 48, 'public'],
  ['2001::', 32, 'tunnel'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, 'tunnel'],
  ['3fff::', 20, 'documentation'],
  ['2000::', 3, 'public'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'multicast'],
]

type RangeBytes = { base: AddressBytes; bits: number; kind: AddressKind }
const toBytes = ([base, bits, kind]: Range): RangeBytes => ({ base: parseAddress(base)!, bits, kind })
const V4 = V4_RANGES.map(toBytes)
const V6 = V6_RANGES.map(toBytes)
const NAT64 = parseAddress('64:ff9b::')!

function classifyV4(bytes: AddressBytes): AddressKind {
  return V4.find(({ base, bits }) => isInRange(bytes, base, bits))?.kind ?? 'public'
}

function classifyV6(bytes: AddressBytes): AddressKind {
  // NAT64 dials the IPv4 address inside
  if (isInRange(bytes, NAT64, 96)) return classifyV4(bytes.subarray(12))
  return V6.find(({ base, bits }) => isInRange(bytes, base, bits))?.kind ?? 'reserved'
}

function isInRange(bytes: AddressBytes, base: AddressBytes, bits: number): boolean {
  if (bytes.length !== base.length) return false
  const whole = bits >> 3
  for (let i = 0; i < whole; i += 1) if (bytes[i] !== base[i]) return false
  const rest = bits & 7
  return rest === 0 || (bytes[whole]! ^ base[whole]!) >> (8 - rest) === 0
}

// ---- reading

function parseV4(text: string): AddressBytes | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return null
  const numbers = match.slice(1).map(Number)
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : null
}

function parseV6(text: string): AddressBytes | null {
  let groupsText = text
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (tail !== null) {
    const v4 = parseV4(tail[2]!)
    if (v4 === null) return null
    groupsText = `${tail[1]}${((v4[0]! << 8) | v4[1]!).toString(16)}:${((v4[2]! << 8) | v4[3]!).toString(16)}`
  }
  const halves = groupsText.split('::')
  if (halves.length > 2) return null
  const [head, rest] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head!.length - (rest?.length ?? 0)
  if (rest === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...head!, ...Array<string>(missing).fill('0'), ...(rest ?? [])]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null
  const bytes = new Uint8Array(16)
  groups.forEach((group, i) => {
    const number = parseInt(group, 16)
    bytes[2 * i] = number >> 8
    bytes[2 * i + 1] = number & 255
  })
  return unwrapMapped(bytes)
}

function unwrapMapped(bytes: AddressBytes): AddressBytes {
  if (bytes.length !== 16 || bytes[10] !== 255 || bytes[11] !== 255) return bytes
  for (let i = 0; i < 10; i += 1) if (bytes[i] !== 0) return bytes
  return bytes.slice(12)
}

function parseAllowance(entry: string): Allowance {
  // Without brackets a port reads as the last group of an IPv6 address: `::1:80` is ambiguous, so reject it.
  const unbracketed = /^([^/]+):\d{1,5}$/.exec(entry)?.[1] ?? ''
  if (unbracketed.includes(':') && parseAddress(unbracketed) !== null)
    throw new Error(
      `EGRESS_ALLOW: "${entry}" can be read as an address or as an address with a port; write [${unbracketed}]:PORT, or the whole address in brackets`,
    )
  const bare = /^([0-9a-fA-F:.]+?)(?:\/(\d+))?$/.exec(entry)
  const withPort = /^(?:\[([0-9a-fA-F:.]+)(?:\/(\d+))?\]|([0-9a-fA-F:.]+?))(?:\/(\d+))?(?::(\d+)(?:-(\d+))?)?$/.exec(entry)
  const isBare = bare !== null && parseAddress(bare[1]!) !== null
  const address = isBare ? bare[1]! : (withPort?.[1] ?? withPort?.[3] ?? '')
  const bitsText = isBare ? bare[2] : (withPort?.[2] ?? withPort?.[4])
  const [first, last] = isBare ? [] : [withPort?.[5], withPort?.[6]]
  const base = parseAddress(address)
  const most = base ? base.length * 8 : 0
  // For a mapped IPv4 address, BITS counts the 96 bits of the prefix too.
  const prefix = most === 32 && address.includes(':') ? 96 : 0
  const bits = bitsText === undefined ? most : Number(bitsText) - prefix
  const fromPort = Number(first ?? 0)
  const toPort = Number(last ?? first ?? 65_535)
  if (!base || bits < 0 || bits > most || fromPort > toPort || toPort > 65_535) {
    throw new Error(`EGRESS_ALLOW: "${entry}" is not ADDRESS[/BITS][:PORT[-PORT]]`)
  }
  return { base, bits, fromPort, toPort }
}
