/** The examples for frameworks, each run as a program and inside its framework, against the product. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'

const examples = suite('examples for frameworks')
const f = await startFirecrawl()
examples.after(() => f.close())
const url = f.site.url('/boats')
// Read when the examples are loaded, so they are loaded after this.
process.env['SEINE_URL'] = f.product.url
process.env['SEINE_API_KEY'] = f.key
const { SeineLoader, scrapeTool: langchainTool } = await import('../../examples/langchain.ts')
const { SeineReader, scrapeTool: llamaTool } = await import('../../examples/llamaindex.ts')
const { seineTools } = await import('../../examples/vercel-ai.ts')

for (const name of ['langchain', 'llamaindex', 'vercel-ai'])
  examples(`examples/${name}.ts runs as a program`, async () => {
    const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url))
    const said = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [file, url], { timeout: 60_000 }, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
    })
    assert.match(said, /^Boats \d+\n$/)
  })

examples('LangChain: the loader returns documents, and the tool answers a call of a model', async () => {
  const [document] = await new SeineLoader([url]).load()
  assert.equal([document?.metadata['source'], document?.pageContent.startsWith('# Boats')], [url, true])
  assert.match(await langchainTool.invoke({ url }), /^# Boats/)
})

examples('LlamaIndex: the reader returns documents, and the tool answers', async () => {
  const [document] = await new SeineReader().loadData(url)
  assert.equal([document?.metadata['source'], document?.text.startsWith('# Boats')], [url, true])
  assert.match(JSON.stringify(await llamaTool.call({ url })), /^"# Boats/)
})

examples('Vercel AI SDK: a model calls the tool and reads the page', async () => {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const seen: string[] = []
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isFirst = seen.push(JSON.stringify(prompt)) === 1
      return isFirst
        ? {
            content: [{ type: 'tool-call', toolCallId: '1', toolName: 'scrape', input: JSON.stringify({ url }) }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            usage,
            warnings: [],
          }
        : { content: [{ type: 'text', text: 'Read.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
    },
  })
  const { text } = await generateText({ model, tools: seineTools, stopWhen: stepCountIs(3), prompt: `Read ${url}` })
  assert.is(text, 'Read.')
  assert.match(seen[1] ?? '', /# Boats/)
})

examples('n8n: the request of the recipe gets the page', async () => {
  const recipe = JSON.parse(
    readFileSync(new URL('../../examples/n8n.json', import.meta.url), 'utf8')
      .replaceAll('https://seine.example.org', f.product.url)
      .replaceAll('https://example.org/', url)
      .replaceAll('sn-…', f.key),
  ) as {
    nodes: {
      type: string
      parameters: { method: string; url: string; jsonBody: string; headerParameters: { parameters: { name: string; value: string }[] } }
    }[]
  }
  const {
    headerParameters,
    jsonBody,
    method,
    url: address,
  } = recipe.nodes.find(({ type }) => type === 'n8n-nodes-base.httpRequest')!.parameters
  const headers = Object.fromEntries(headerParameters.parameters.map(({ name, value }) => [name, value]))
  const reply = await fetch(address, { method, headers: { ...headers, 'content-type': 'application/json' }, body: jsonBody })
  const { result } = (await reply.json()) as { result: { markdown: string } }
  assert.match(result.markdown, /^# Boats/)
})

examples.run()
