/** What a tool is: its schemas, what agents are told of it, and what it does. */
import * as z from 'zod/mini'
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'
import { wordsOf } from '#backend/http/issue-words.ts'

/** Who calls, and what links in the result begin with. */
export type Caller = { actor: TeamActor; base: string }

export type ToolCall = Caller & {
  /** Aborted when the caller has left or has canceled the call. */
  signal: AbortSignal
  /** Tells a caller that has asked for it how far the work is. */
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
  /** Throws what cannot be done; the message goes to the agent. */
  call: (input: Record<string, unknown>, call: ToolCall) => Promise<ToolResult>
}

/** A tool from its shapes: what goes in is checked, what comes out is held to `output` by the compiler. */
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

/** JSON Schema 2020-12, the dialect of the protocol, which therefore needs no `$schema`. */
function jsonSchema(shape: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    io,
    override: ({ jsonSchema: written }) => {
      // Bounds that every number has say nothing, and cost tokens.
      for (const bound of ['minimum', 'maximum'] as const)
        if (Math.abs(written[bound] ?? 0) >= Number.MAX_SAFE_INTEGER) delete written[bound]
    },
  }) as Record<string, unknown>
  return schema
}

export const text = (value: string): Content => ({ type: 'text', text: value })
