/** A server of the protocol with the tools and resources that the official conformance suite expects, over the product's own protocol code. */
import fastify from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import { acceptJsonBodies } from '#backend/http/json-body.ts'
import { mcpRoutes } from '#backend/mcp/routes.ts'
import type { Resources } from '#backend/mcp/server.ts'
import type { Content, Tool } from '#backend/mcp/tool.ts'

/** One red pixel, and a sound without samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const tool = (name: string, call: Tool['call'], inputSchema: Record<string, unknown> = { type: 'object' }): Tool => ({
  name,
  title: name,
  description: 'A tool of the conformance suite.',
  inputSchema,
  call,
})
const content = (...parts: Content[]) => ({ content: parts })
const image: Content = { type: 'image', data: PNG, mimeType: 'image/png' }

const TOOLS: Tool[] = [
  tool('test_simple_text', async () => content({ type: 'text', text: 'This is a simple text response for testing.' })),
  tool('test_image_content', async () => content(image)),
  tool('test_audio_content', async () => content({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  tool('test_embedded_resource', async () =>
    content({
      type: 'resource',
      resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
    }),
  ),
  tool('test_multiple_content_types', async () =>
    content({ type: 'text', text: 'Multiple content types test:' }, image, {
      type: 'resource',
      resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
    }),
  ),
  tool('test_error_handling', () => Promise.reject(new Error('This tool intentionally returns an error for testing'))),
  tool('test_tool_with_progress', async (_given, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100, `${done} of 100`)
      await pause(5)
    }
    return content({ type: 'text', text: 'done' })
  }),
  tool('json_schema_2020_12_tool', async () => content({ type: 'text', text: 'done' }), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
]

const RESOURCES: Resources = {
  templates: [
    { uriTemplate: 'test://template/{id}/data', name: 'template', title: 'Template', description: 'Data', mimeType: 'application/json' },
  ],
  list: async () => ({
    resources: [
      { uri: 'test://static-text', name: 'text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'binary', mimeType: 'image/png' },
    ],
  }),
  read: async (_caller, uri) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
    if (id !== undefined)
      return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
    if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG }
    return uri === 'test://static-text' ? { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' } : null
  },
}

export async function startFixtures() {
  const app = fastify({ forceCloseConnections: true })
  acceptJsonBodies(app, { maxBytes: 1024 * 1024 })
  app.decorateRequest('actor', null)
  app.decorate('authenticate', async () => ({ teamId: 'team', share: 'team', userId: null, sessionId: null, apiKeyId: 'key' }))
  await app.register(
    mcpRoutes({
      baseUrl: () => 'http://localhost',
      corsOrigins: [],
      enter: () => undefined,
      leave: () => undefined,
      publicUrl: undefined,
      server: {
        info: { name: 'fixtures', title: 'Fixtures', version: '1.0.0' },
        instructions: 'Tools of the conformance suite.',
        tools: TOOLS,
        resources: RESOURCES,
        onFault: () => undefined,
      },
    }),
  )
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  return { url, close: () => app.close() }
}
