/** The program of the thread that compares copies of pages; see `firecrawl/page-changes.ts`. */
import { COMPARISONS } from './firecrawl/page-changes.ts'
import type { Comparison } from './firecrawl/page-changes.ts'
import { answerQuestions } from './platform/threads/answer-questions.ts'

answerQuestions(({ args, name }: Comparison) => (COMPARISONS[name] as (...args: unknown[]) => unknown)(...args))
