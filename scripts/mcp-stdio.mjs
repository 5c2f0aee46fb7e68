#!/usr/bin/env node
// Connects agents that start their servers as programs (stdio) with the MCP endpoint of a running installation.
// Plain JavaScript without packages, on whatever Node (20 or later) the machine has: `npx seine-mcp`, or `npm run --silent mcp`.
//
//   SEINE_URL      where the installation is, such as https://seine.example.org (default http://localhost:3000)
//   SEINE_API_KEY  a key of the team
//
// Each line on stdin is a JSON-RPC message, which is sent as a request of its own; answers are written to stdout line by line, errors to stderr.
import { createInterface } from 'node:readline'

const { SEINE_API_KEY: key, SEINE_URL: base = 'http://localhost:3000' } = process.env
const META_VERSION = 'io.modelcontextprotocol/protocolVersion'
const NAMED = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

if (!key) fail('SEINE_API_KEY is not set: create a key in the dashboard under API Keys.')
if (!URL.canParse(base)) fail(`SEINE_URL is not a URL: ${base}`)
const endpoint = `${base.replace(/\/+$/, '')}/mcp`

/** Open calls, which `notifications/cancelled` aborts. */
const open = new Map()
/** From the answer to `initialize`; newer clients name their version in each message. */
let session = null
let version = null

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity })
lines.on('line', (line) => void take(line))
// The client no longer reads answers, so calls that are still open are aborted.
lines.on('close', () => open.forEach((call) => call.abort()))

async function take(line) {
  if (line.trim() === '') return
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return write({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } })
  }
  const { id, method, params = {} } = message ?? {}
  if (method === 'notifications/cancelled') open.get(params.requestId)?.abort()
  const call = new AbortController()
  if (id !== undefined) open.set(id, call)
  try {
    const reply = await fetch(endpoint, { method: 'POST', headers: headersOf(message), body: line, signal: call.signal })
    if (method === 'initialize') session = reply.headers.get('mcp-session-id')
    if (reply.headers.get('content-type')?.startsWith('text/event-stream')) await forward(reply.body)
    else await answer(reply, id, method)
  } catch (error) {
    if (call.signal.aborted) return
    const reason = error.cause?.message || error.cause?.code || error.message
    refuse(id, `${endpoint} cannot be reached (${reason}). Is the installation running, and is SEINE_URL right?`)
  } finally {
    open.delete(id)
  }
}

function headersOf({ method, params }) {
  const spoken = params?._meta?.[META_VERSION] ?? version
  const name = params?.[NAMED[method]]
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(spoken && { 'mcp-protocol-version': spoken }),
    ...(session && { 'mcp-session-id': session }),
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  }
}

/** Encodes what a header cannot contain as Base64 between two markers. */
function encoded(value) {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

async function answer(reply, id, method) {
  const text = await reply.text()
  if (text === '') return
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return refuse(id, `${endpoint} was answered ${reply.status} with something other than JSON. Is SEINE_URL right?`)
  }
  if (body.jsonrpc !== '2.0') return refuse(id, body.message ?? `The server answered ${reply.status}.`)
  if (method === 'initialize') version = body.result?.protocolVersion ?? null
  write(body)
}

/** Passes on the messages of a stream: the `data:` lines of its events. */
async function forward(stream) {
  let rest = ''
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/)
    rest = events.pop()
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      if (data.length > 0) process.stdout.write(`${data.join('')}\n`)
    }
  }
}

function refuse(id, message) {
  process.stderr.write(`${message}\n`)
  if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code: -32603, message } })
}

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
