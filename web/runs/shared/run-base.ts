/** What all screens of one kind of run share: endpoints, paths and texts. */
import type { EndpointSpec, Paged } from '#contract/endpoint.ts'
import type { RunStatus } from '#contract/runs.ts'
import { amendAnswers, putAnswer } from '#web/api/hooks.ts'
import type { Noun } from '#web/texts/nouns.ts'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

/** The properties of every run that these screens use. */
export type AnyRun = { uuid: string; status: RunStatus; created_at: string; duration: string | null }

/** An endpoint that returns a run by its id. */
export type RunEndpoint = EndpointSpec & { method: 'GET'; path: `${string}/{id}/` }

type StopEndpoint = EndpointSpec & { method: 'DELETE'; path: `${string}/{id}/`; body?: undefined }

export type RunBase = {
  /** "crawl" */
  noun: Noun
  get: RunEndpoint
  list: EndpointSpec
  stop: StopEndpoint
  /** Asks the server to run it again. */
  rerun: (id: string) => Promise<{ uuid: string }>
  paths: { begin: PathName; log: PathName; details: PathName; parameter: string }
  words: {
    /** The heading of the playground. */
    title: string
    notFound: string
    /** The label of the stop button. */
    cancel: string
    /** The heading of the details. */
    details: string
    about: string
    tryAgain: string
  }
}

/** The path of a run's details. */
export const detailsPath = ({ paths }: RunBase, { uuid }: { uuid: string }): string => pathTo(paths.details, { [paths.parameter]: uuid })

/** Stores the state of a live event in the cache, so that all screens show the same state. */
export function rememberRun<Run extends AnyRun>({ get, list }: RunBase, run: Run): void {
  putAnswer(get as RunEndpoint & Answering<Run>, { params: { id: run.uuid } }, run)
  amendAnswers(list as EndpointSpec & Answering<Paged<Run>>, (page) => ({
    ...page,
    results: page.results.map((one) => (one.uuid === run.uuid ? run : one)),
  }))
}

type Answering<Answer> = { answer: NonNullable<EndpointSpec['answer']> & { _zod: { output: Answer } } }
