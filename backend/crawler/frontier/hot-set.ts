/**
 * The set of URLs that a run knows: 64-bit keys in flat arrays, each with the URL's `seq`.
 *
 * There are 256 open-addressed tables, chosen by the key's top byte, so that growing one moves 1/256 of the keys and never blocks the event
 * loop. A slot is three 32-bit numbers: both halves of the key, and seq + 1 (0 marks a free slot). That takes about 25 bytes per URL; a
 * JavaScript Set of strings took 101.
 */

const SHARDS = 256
const STRIDE = 3
const FIRST_SLOTS = 16

export function createHotSet() {
  const tables: Int32Array[] = Array.from({ length: SHARDS }, () => new Int32Array(0))
  const used = new Uint32Array(SHARDS)
  let size = 0
  return {
    find,
    add,
    set,
    get size() {
      return size
    },
    /** Bytes held by the tables. */
    get bytes() {
      return tables.reduce((sum, table) => sum + table.byteLength, 0)
    },
  }

  /** The seq of a known key, -1 for an unknown one. */
  function find(hi: number, lo: number): number {
    const table = tables[hi >>> 24]!
    const mask = table.length / STRIDE - 1
    if (mask < 0) return -1
    for (let slot = (lo ^ (hi << 7)) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * STRIDE
      const seq = table[at + 2]!
      if (seq === 0) return -1
      if (table[at] === hi && table[at + 1] === lo) return seq - 1
    }
  }

  /** Adds a key, or changes its seq. */
  function set(hi: number, lo: number, seq: number): void {
    if (find(hi, lo) === -1) return add(hi, lo, seq)
    const table = tables[hi >>> 24]!
    const mask = table.length / STRIDE - 1
    let slot = (lo ^ (hi << 7)) & mask
    while (table[slot * STRIDE] !== hi || table[slot * STRIDE + 1] !== lo) slot = (slot + 1) & mask
    table[slot * STRIDE + 2] = seq + 1
  }

  /** Adds a key that is not in the set. */
  function add(hi: number, lo: number, seq: number): void {
    const shard = hi >>> 24
    let table = tables[shard]!
    if ((used[shard]! + 1) * STRIDE * 4 > table.length * 3) table = tables[shard] = grown(table)
    place(table, hi, lo, seq + 1)
    used[shard] = used[shard]! + 1
    size += 1
  }
}

function grown(table: Int32Array): Int32Array {
  const larger = new Int32Array(table.length === 0 ? FIRST_SLOTS * STRIDE : table.length * 2)
  for (let at = 0; at < table.length; at += STRIDE) {
    if (table[at + 2] !== 0) place(larger, table[at]!, table[at + 1]!, table[at + 2]!)
  }
  return larger
}

function place(table: Int32Array, hi: number, lo: number, mark: number): void {
  const mask = table.length / STRIDE - 1
  let slot = (lo ^ (hi << 7)) & mask
  while (table[slot * STRIDE + 2] !== 0) slot = (slot + 1) & mask
  table[slot * STRIDE] = hi
  table[slot * STRIDE + 1] = lo
  table[slot * STRIDE + 2] = mark
}
