/**
 * How to send exactly the request that is in the form, in four languages, with nothing but what each language's people have at hand:
 * start, read the stream until it ends, print the pages. Pure. Whatever someone typed is a literal of the language, never code.
 */
import { createBatchCrawl, createCrawl } from '#contract/crawls.ts'

export const SAMPLE_LANGUAGES = ['curl', 'python', 'node', 'go'] as const
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]

export type SampleRequest = { baseUrl: string; apiKey: string | null; body: unknown; batch: boolean }

export type Sample = { install: string | null; code: string }

export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

export const codeSample = (language: SampleLanguage, request: SampleRequest): Sample => {
  const path = request.batch ? createBatchCrawl.path : createCrawl.path
  const needs = {
    start: request.baseUrl + path,
    runs: request.baseUrl + createCrawl.path,
    key: request.apiKey ?? KEY_PLACEHOLDER,
    body: request.body,
  }
  return WRITERS[language](needs)
}

type Needs = { start: string; runs: string; key: string; body: unknown }

const WRITERS: Record<SampleLanguage, (needs: Needs) => Sample> = { curl, python, node, go }

/** A word for a POSIX shell: inside apostrophes nothing has a meaning but the apostrophe. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curl({ start, runs, key, body }: Needs): Sample {
  const header = shellWord(`X-API-Key: ${key}`)
  return {
    install: null,
    code: `# 1. Start the crawl and keep its id
id=$(curl -sS -X POST ${shellWord(start)} \\
  -H 'Content-Type: application/json' \\
  -H ${header} \\
  --data-binary ${shellWord(JSON.stringify(body, null, 2))} \\
  | grep -o '"uuid": *"[^"]*"' | head -n 1 | cut -d '"' -f 4)

# 2. Read the live events until the crawl ends
curl -sSN -H ${header} ${shellWord(runs)}"$id/status/?prefetched=true"

# 3. Save all pages as one archive
curl -sS -o results.zip -H ${header} ${shellWord(runs)}"$id/download/?output_format=markdown"
`,
  }
}

/** A string literal that Python, JavaScript and Go read alike: JSON's, with what could be misread or not be seen written as an escape. */
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
  // In brackets the name stays a name; written plainly it would set the object's prototype.
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

function python({ start, runs, key, body }: Needs): Sample {
  return {
    install: 'pip install requests',
    code: `import json
import requests

headers = {"X-API-Key": ${stringLiteral(key)}}
body = ${written(body, PYTHON)}

# 1. Start the crawl
answer = requests.post(${stringLiteral(start)}, headers=headers, json=body, timeout=60)
answer.raise_for_status()
crawl = answer.json()

# 2. Read the live events until the crawl ends
url = ${stringLiteral(runs)} + crawl["uuid"] + "/status/"
with requests.get(url, headers=headers, params={"prefetched": "true"}, stream=True, timeout=(60, None)) as stream:
    stream.raise_for_status()
    for line in stream.iter_lines():
        if not line.startswith(b"data:"):
            continue
        event = json.loads(line[5:])
        if event["type"] == "result":
            page = event["data"]
            print(page["url"])
            print(page["result"]["markdown"])
        elif event["type"] == "state":
            print("status:", event["data"]["status"])
`,
  }
}

function node({ start, runs, key, body }: Needs): Sample {
  return {
    install: null,
    code: `// Node.js 18 or later; save as crawl.mjs and run with: node crawl.mjs
const headers = { "Content-Type": "application/json", "X-API-Key": ${stringLiteral(key)} };
const body = ${written(body, NODE)};

// 1. Start the crawl
const answer = await fetch(${stringLiteral(start)}, { method: "POST", headers, body: JSON.stringify(body) });
if (!answer.ok) throw new Error(await answer.text());
const crawl = await answer.json();

// 2. Read the live events until the crawl ends
const stream = await fetch(${stringLiteral(runs)} + crawl.uuid + "/status/?prefetched=true", { headers });
if (!stream.ok) throw new Error(await stream.text());

const decoder = new TextDecoder();
let rest = "";
for await (const chunk of stream.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        const event = JSON.parse(line.slice(5));
        if (event.type === "result") console.log(event.data.url + "\\n" + event.data.result.markdown);
        else if (event.type === "state") console.log("status:", event.data.status);
    }
}
`,
  }
}

function go({ start, runs, key, body }: Needs): Sample {
  return {
    install: null,
    code: `package main

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

func main() {
	body, err := json.Marshal(${written(body, GO, '\t')})
	if err != nil {
		log.Fatal(err)
	}

	// 1. Start the crawl
	var crawl struct {
		UUID string \`json:"uuid"\`
	}
	answer := send("POST", ${stringLiteral(start)}, bytes.NewReader(body))
	if err := json.NewDecoder(answer.Body).Decode(&crawl); err != nil {
		log.Fatal(err)
	}
	answer.Body.Close()

	// 2. Read the live events until the crawl ends
	stream := send("GET", ${stringLiteral(runs)}+crawl.UUID+"/status/?prefetched=true", nil)
	defer stream.Body.Close()
	reader := bufio.NewReader(stream.Body)
	for {
		line, err := reader.ReadString('\\n')
		if data, found := strings.CutPrefix(line, "data:"); found {
			var event struct {
				Type string \`json:"type"\`
				Data struct {
					URL    string          \`json:"url"\`
					Status string          \`json:"status"\`
					Result json.RawMessage \`json:"result"\`
				} \`json:"data"\`
			}
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				log.Fatal(err)
			}
			switch event.Type {
			case "result":
				var page struct {
					Markdown string \`json:"markdown"\`
				}
				if err := json.Unmarshal(event.Data.Result, &page); err != nil {
					log.Fatal(err)
				}
				fmt.Println(event.Data.URL)
				fmt.Println(page.Markdown)
			case "state":
				fmt.Println("status:", event.Data.Status)
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}
`,
  }
}
