/** The interface of a tool: its schemas, its description for agents, and its function. */
import * as z from 'zod/mini'
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'
import { wordsOf } from '#backend/http/issue-words.ts'

/** The caller, and the prefix of links in the result. */
export type Caller = { actor: TeamActor; base: string }

export type ToolCall = Caller & {
  /** Aborts when the caller has disconnected or has canceled the call. */
  signal: AbortSignal
  /** Reports progress, if the caller has asked for it. */
  progress: (done: number, total: number | null, message: string) => void
}

export type Content =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; title?: string; mimeType?: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } }

export type ToolResult = { content: Content[]; structuredContent?: Record<string, unknown>; isError?: boolean }

/** Hints for clients that ask people before a call (MCP, "ToolAnnotations"). */
type Annotations = { readOnlyHint: boolean; openWorldHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean }

export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: Annotations
  /** Throws errors; their message goes to the agent. */
  call: (input: Record<string, unknown>, call: ToolCall) => Promise<ToolResult>
}

/** Defines a tool by its shapes: the input is validated, the output is checked by the compiler. */
export function defineTool<In extends z.ZodMiniType, Out extends z.ZodMiniType<Record<string, unknown>>>({
  call,
  input,
  output,
  ...told
}: Pick<Tool, 'name' | 'title' | 'description'> & {
  annotations: Annotations
  input: In
  output: Out
  call: (input: z.output<In>, call: ToolCall) => Promise<{ content: Content[]; structured: z.input<Out> }>
}): Tool {
  return {
    ...told,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
    async call(given, context) {
      const { content, structured } = await call(checked(input, given), context)
      return { content, structuredContent: structured as Record<string, unknown> }
    },
  }
}

/** Throws `invalid_input` with the fields. */
export function checked<T extends z.ZodMiniType>(shape: T, given: unknown): z.output<T> {
  const read = shape.safeParse(given)
  if (read.success) return read.data
  const complaints = read.error.issues.map(({ message, path, ...issue }) => ({
    path,
    message: wordsOf({ ...issue, message, path }, given, 'argument'),
  }))
  throw new AppError('invalid_input', { fields: fieldErrors(complaints, given) })
}

/** JSON Schema 2020-12. It needs no `$schema`, because it is the protocol's default dialect. */
function jsonSchema(shape: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    io,
    override: ({ jsonSchema: written }) => {
      // Limits that every number has are of no use, and cost tokens.
      for (const bound of ['minimum', 'maximum'] as const)
        if (Math.abs(written[bound] ?? 0) >= Number.MAX_SAFE_INTEGER) delete written[bound]
    },
  }) as Record<string, unknown>
  return schema
}

export const text = (value: string): Content => ({ type: 'text', text: value })
