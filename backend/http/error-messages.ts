/** The messages of an error as plain texts, for APIs and screens that show one text. */
import type { FieldMessages } from '#contract/endpoint.ts'
import type { AppError } from '#backend/errors.ts'

const MOST_MESSAGES = 20

/** The messages of invalid fields as `field: message`; at most 20. */
export function flatMessages(messages: FieldMessages | FieldMessages[], name = ''): string[] {
  if (!Array.isArray(messages))
    return Object.entries(messages)
      .flatMap(([field, inside]) => flatMessages(inside, field === 'non_field_errors' ? name : name === '' ? field : `${name}.${field}`))
      .slice(0, MOST_MESSAGES)
  return messages.flatMap((message, at) =>
    typeof message === 'string' ? [name === '' ? message : `${name}: ${message}`] : flatMessages(message, `${name}.${at}`),
  )
}

/** The messages of an error's fields. */
export const messagesOf = ({ fields }: AppError): string[] => (fields === null ? [] : flatMessages(fields))
