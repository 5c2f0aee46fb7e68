import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crawlSample } from '#web/runs/crawl/crawl-sample.ts'
import { SAMPLE_LANGUAGES, codeSample, shellWord, stringLiteral } from '#web/runs/shared/code-samples.ts'

/** Values that users, or pages they copied from, may put into the form. */
const HOSTILE = `it's "here" \\ $(id) \`id\` \${x} %s \n\t\u0000\u2028\ufeff\u202e käse 🫖 </script> #{x} {{x}}`
const BODY = {
  url: `https://a.example/?q=${HOSTILE}`,
  options: {
    spider_options: { max_depth: 3, page_limit: 500, exclude_paths: ["/it's/*", HOSTILE], proxy_server: null },
    page_options: { only_main_content: true, include_html: false, actions: [], extra_headers: { [HOSTILE]: HOSTILE, __proto__x: 'y' } },
    plugin_options: {},
  },
}
const REQUEST = { baseUrl: 'https://seine.example', apiKey: null, body: BODY, kind: crawlSample({ batch: false }) }

const samples = suite('code samples')

for (const language of SAMPLE_LANGUAGES) {
  samples(`${language}: a sample has the right path, the placeholder or the key, and the stream`, () => {
    const { code } = codeSample(language, REQUEST)
    assert.ok(code.includes('https://seine.example/api/v1/core/crawl-requests/'))
    assert.ok(code.includes('YOUR_API_KEY'))
    assert.ok(code.includes('/status/'))
    assert.ok(codeSample(language, { ...REQUEST, kind: crawlSample({ batch: true }) }).code.includes('/crawl-requests/batch/'))
    assert.ok(codeSample(language, { ...REQUEST, apiKey: 'sn-abc' }).code.includes('sn-abc'))
    assert.not(codeSample(language, { ...REQUEST, apiKey: 'sn-abc' }).code.includes('YOUR_API_KEY'))
  })
}

samples('curl: a shell reads exactly the intended values', () => {
  const text = HOSTILE.replaceAll('\u0000', '')
  const { stdout } = spawnSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })
  assert.is(stdout, text)
})

samples('Node.js: the body is the same object, and no text in it runs as code', () => {
  const { code } = codeSample('node', REQUEST)
  const literal = /const body = ([\s\S]*?\n\});/.exec(code)?.[1] ?? ''
  const { stdout } = spawnSync(process.execPath, ['-e', `process.stdout.write(JSON.stringify(${literal}))`], { encoding: 'utf8' })
  assert.equal(JSON.parse(stdout), BODY)
})

samples('Node.js: a header named __proto__ stays a header', () => {
  const body = JSON.parse('{"__proto__":{"a":true}}') as unknown
  const { code } = codeSample('node', { ...REQUEST, body })
  assert.ok(code.includes('["__proto__"]: {'))
})

samples('Node.js: the whole sample is valid code', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--check', '-'], {
    input: codeSample('node', REQUEST).code,
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
})

samples('Python: the whole sample is valid code, and the body is the same', (): void => {
  const { code } = codeSample('python', REQUEST)
  assert.ok(code.includes('"only_main_content": True'))
  assert.ok(code.includes('"include_html": False'))
  assert.ok(code.includes('"proxy_server": None'))
  const check =
    'import ast,json,sys\nt=ast.parse(sys.stdin.read())\nprint(json.dumps([ast.literal_eval(n.value) for n in t.body if isinstance(n,ast.Assign) and n.targets[0].id=="body"][0]))'
  const python = spawnSync('python3', ['-c', check], { input: code, encoding: 'utf8' })
  // Without Python only the literals above are checked.
  if (python.error) return
  assert.is(python.status, 0, python.stderr)
  assert.equal(JSON.parse(python.stdout), BODY)
})

samples('Go: the sample has literals of Go, nil for null, and no character that the compiler refuses', () => {
  const { code } = codeSample('go', REQUEST)
  assert.ok(code.includes('"proxy_server": nil,'))
  assert.ok(code.includes('[]any{}'))
  assert.not(code.includes('\ufeff'))
  assert.not(code.includes('\u202e'), 'nothing that turns the direction of reading')
  assert.is(stringLiteral('\ud83d'), '"\ufffd"', 'half a character is none')
})

samples.run()
