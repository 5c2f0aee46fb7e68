/** What the API's process and the indexer's say to each other. Hints, never truth: the tables are asked. */

export type ToIndexer = { type: 'start'; database: string; file: string } | { type: 'hint'; runNo: number } | { type: 'close' }

export type FromIndexer = { type: 'idle'; forMs: number }
