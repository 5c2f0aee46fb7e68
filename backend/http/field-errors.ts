/** Converts validation issues to the nested errors of the contract. Pure. */
import type { FieldErrors, FieldMessages } from '#contract/endpoint.ts'

/** One issue: where in the input, and its message. */
type Complaint = { path: readonly PropertyKey[]; message: string }

type Node = { messages: string[]; children: Map<string, Node>; isList: boolean }

/**
 * The errors of a request by field.
 *
 * Errors of nested objects are nested. Items of a list are keyed by their index, unless they are objects: then the result is a list as long
 * as the input's, with `{}` for each valid item. Errors of an object itself stand under `non_field_errors`.
 *
 * @param input  the request, to tell objects and lists from plain values
 */
export function fieldErrors(complaints: readonly Complaint[], input: unknown): FieldErrors {
  const root = emptyNode()
  for (const { path, message } of complaints) {
    let node = root
    for (const step of path) {
      node.isList ||= typeof step === 'number'
      const next = node.children.get(String(step)) ?? emptyNode()
      node.children.set(String(step), next)
      node = next
    }
    if (!node.messages.includes(message)) node.messages.push(message)
  }
  const errors = written(root, input)
  return Array.isArray(errors) ? { non_field_errors: errors } : errors
}

const emptyNode = (): Node => ({ messages: [], children: new Map(), isList: false })

function written(node: Node, input: unknown): FieldErrors | FieldErrors[] | string[] {
  if (node.children.size === 0) return isBlamedItself(node) ? { non_field_errors: node.messages } : node.messages
  if (node.isList && Array.isArray(input) && [...node.children.keys()].some((index) => isObjectItem(node, input, index)))
    return input.map((item: unknown, index) => {
      const child = node.children.get(String(index))
      const errors = child ? written(child, item) : {}
      return Array.isArray(errors) ? { non_field_errors: errors } : errors
    })
  const fields = [...node.children].map(([name, child]): [string, FieldMessages] => [name, written(child, childOf(input, name))])
  // fromEntries defines properties, so that a field called `__proto__` is a normal field.
  return Object.fromEntries(node.messages.length ? [...fields, ['non_field_errors', node.messages]] : fields)
}

// Only an object can have this message, which comes from `shape`.
const isBlamedItself = ({ messages }: Node) => messages.some((message) => message.startsWith('Invalid data. Expected a dictionary'))

const isObjectItem = (list: Node, input: readonly unknown[], index: string) => {
  const child = list.children.get(index)
  return child !== undefined && (isBlamedItself(child) || (child.children.size > 0 && !Array.isArray(input[Number(index)])))
}

const childOf = (input: unknown, name: string): unknown =>
  typeof input === 'object' && input !== null && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined
