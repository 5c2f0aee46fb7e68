/**
 * Code that sends exactly the request of the form, in four languages, with each language's standard library only: starts the run, reads the
 * stream until it ends, prints the results. Pure. Typed text becomes a literal of the language, never code.
 */

export const SAMPLE_LANGUAGES = ['curl', 'python', 'node', 'go'] as const
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]

/** What differs in the samples of one kind of run. Lines of code are not indented; they can use `event` and `data` of the stream. */
export type SampleKind = {
  /** "crawl" */
  noun: string
  /** The API path that starts a run. */
  startPath: string
  /** The API path in front of a run's id. */
  runsPath: string
  /** What curl does at the end: an explanation, the file, and the path after the run's id. */
  save: { why: string; file: string; path: string }
  /** The lines that print an event, per language. */
  python: readonly string[]
  node: readonly string[]
  go: {
    /** Fields of the event's data besides its status. */
    fields: readonly string[]
    lines: readonly string[]
  }
}

export type SampleRequest = { baseUrl: string; apiKey: string | null; body: unknown; kind: SampleKind }

export type Sample = { code: string }

export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

/** The whole program in a language. Without an API key it contains `KEY_PLACEHOLDER`. */
export const codeSample = (language: SampleLanguage, { baseUrl, apiKey, body, kind }: SampleRequest): Sample => ({
  code: WRITERS[language]({ start: baseUrl + kind.startPath, runs: baseUrl + kind.runsPath, key: apiKey ?? KEY_PLACEHOLDER, body, kind }),
})

type Needs = { start: string; runs: string; key: string; body: unknown; kind: SampleKind }

const WRITERS: Record<SampleLanguage, (needs: Needs) => string> = { curl, python, node, go }

const indented = (lines: readonly string[], indent: string) => lines.map((line) => (line === '' ? '' : indent + line)).join('\n')

/** Quotes text for a POSIX shell: inside apostrophes only the apostrophe is special. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curl({ start, runs, key, body, kind }: Needs): string {
  const header = shellWord(`X-API-Key: ${key}`)
  return `# 1. Start the ${kind.noun} and keep its id
id=$(curl -sS -X POST ${shellWord(start)} \\
  -H 'Content-Type: application/json' \\
  -H ${header} \\
  --data-binary ${shellWord(JSON.stringify(body, null, 2))} \\
  | grep -o '"uuid": *"[^"]*"' | head -n 1 | cut -d '"' -f 4)

# 2. Read the live events until the ${kind.noun} ends
curl -sSN -H ${header} ${shellWord(runs)}"$id/status/?prefetched=true"

# 3. ${kind.save.why}
curl -sS -o ${kind.save.file} -H ${header} ${shellWord(runs)}"$id${kind.save.path}"
`
}

/** A string literal for Python, JavaScript and Go: JSON, with ambiguous and invisible characters escaped. */
export const stringLiteral = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

type Dialect = {
  literal: (value: boolean | null) => string
  list: (lines: string[], indent: string) => string
  object: (entries: [key: string, value: string][], indent: string) => string
}

function written(value: unknown, dialect: Dialect, indent = ''): string {
  const deeper = `${indent}${dialect === GO ? '\t' : '    '}`
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null || value === undefined) return dialect.literal(value ?? null)
  if (Array.isArray(value))
    return dialect.list(
      value.map((one) => written(one, dialect, deeper)),
      indent,
    )
  return dialect.object(
    Object.entries(value as object).map(([key, one]) => [key, written(one, dialect, deeper)]),
    indent,
  )
}

const brackets = (open: string, lines: string[], close: string, indent: string, step = '    ') =>
  lines.length === 0 ? open + close : `${open}\n${lines.map((line) => `${indent}${step}${line},\n`).join('')}${indent}${close}`

const PYTHON: Dialect = {
  literal: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  list: (lines, indent) => brackets('[', lines, ']', indent),
  object: (entries, indent) =>
    brackets(
      '{',
      entries.map(([key, value]) => `${stringLiteral(key)}: ${value}`),
      '}',
      indent,
    ),
}

const NODE: Dialect = {
  literal: String,
  list: (lines, indent) => brackets('[', lines, ']', indent),
  // In brackets: as a plain key, `__proto__` would set the object's prototype.
  object: (entries, indent) =>
    brackets(
      '{',
      entries.map(([key, value]) => `${key === '__proto__' ? '["__proto__"]' : nameOrString(key)}: ${value}`),
      '}',
      indent,
    ),
}

const GO: Dialect = {
  literal: (value) => (value === null ? 'nil' : String(value)),
  list: (lines, indent) => brackets('[]any{', lines, '}', indent, '\t'),
  object: (entries, indent) =>
    brackets(
      'map[string]any{',
      entries.map(([key, value]) => `${stringLiteral(key)}: ${value}`),
      '}',
      indent,
      '\t',
    ),
}

const nameOrString = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key))

function python({ start, runs, key, body, kind }: Needs): string {
  return `import json
from urllib.request import Request, urlopen

headers = {"X-API-Key": ${stringLiteral(key)}, "Content-Type": "application/json"}
body = ${written(body, PYTHON)}

# 1. Start the ${kind.noun}
start = Request(${stringLiteral(start)}, data=json.dumps(body).encode(), headers=headers)
with urlopen(start, timeout=60) as answer:
    ${kind.noun} = json.load(answer)

# 2. Read the live events until the ${kind.noun} ends
url = ${stringLiteral(runs)} + ${kind.noun}["uuid"] + "/status/?prefetched=true"
with urlopen(Request(url, headers=headers), timeout=60) as stream:
    for line in stream:
        if not line.startswith(b"data:"):
            continue
        event = json.loads(line[5:])
        data = event["data"]
        if event["type"] == "state":
            print("status:", data["status"])
${indented(kind.python, '        ')}
`
}

function node({ start, runs, key, body, kind }: Needs): string {
  return `// Node.js 18 or later; save as ${kind.noun}.mjs and run with: node ${kind.noun}.mjs
const headers = { "Content-Type": "application/json", "X-API-Key": ${stringLiteral(key)} };
const body = ${written(body, NODE)};

// 1. Start the ${kind.noun}
const answer = await fetch(${stringLiteral(start)}, { method: "POST", headers, body: JSON.stringify(body) });
if (!answer.ok) throw new Error(await answer.text());
const ${kind.noun} = await answer.json();

// 2. Read the live events until the ${kind.noun} ends
const stream = await fetch(${stringLiteral(runs)} + ${kind.noun}.uuid + "/status/?prefetched=true", { headers });
if (!stream.ok) throw new Error(await stream.text());

const decoder = new TextDecoder();
let rest = "";
for await (const chunk of stream.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        const event = JSON.parse(line.slice(5));
        const data = event.data;
        if (event.type === "state") console.log("status:", data.status);
${indented(kind.node, '        ')}
    }
}
`
}

function go({ start, runs, key, body, kind }: Needs): string {
  return `package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

const apiKey = ${stringLiteral(key)}

func send(method, url string, body io.Reader) *http.Response {
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", apiKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	if answer.StatusCode >= 400 {
		text, _ := io.ReadAll(answer.Body)
		log.Fatalf("%s: %s", answer.Status, text)
	}
	return answer
}

type Event struct {
	Type string \`json:"type"\`
	Data struct {
		Status string \`json:"status"\`
${indented(kind.go.fields, '\t\t')}
	} \`json:"data"\`
}

func show(event Event) {
	data := event.Data
	if event.Type == "state" {
		fmt.Println("status:", data.Status)
	}
${indented(kind.go.lines, '\t')}
}

func main() {
	body, err := json.Marshal(${written(body, GO, '\t')})
	if err != nil {
		log.Fatal(err)
	}

	// 1. Start the ${kind.noun}
	var started struct {
		UUID string \`json:"uuid"\`
	}
	answer := send("POST", ${stringLiteral(start)}, bytes.NewReader(body))
	if err := json.NewDecoder(answer.Body).Decode(&started); err != nil {
		log.Fatal(err)
	}
	answer.Body.Close()

	// 2. Read the live events until the ${kind.noun} ends
	stream := send("GET", ${stringLiteral(runs)}+started.UUID+"/status/?prefetched=true", nil)
	defer stream.Body.Close()
	reader := bufio.NewReader(stream.Body)
	for {
		line, err := reader.ReadString('\\n')
		if strings.HasPrefix(line, "data:") {
			var event Event
			if err := json.Unmarshal([]byte(line[5:]), &event); err != nil {
				log.Fatal(err)
			}
			show(event)
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}
`
}
