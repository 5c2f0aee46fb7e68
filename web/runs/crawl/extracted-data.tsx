/** The data that plugins extracted from all pages of a crawl, as a table and as files. */
import { EXTRACTION_FORMATS, downloadExtractions, getModelUsage, listExtractions } from '#contract/crawls.ts'
import type { PageExtraction } from '#contract/crawls.ts'
import { addColumns, extractedRows } from '#contract/extracted-values.ts'
import type { ExtractedRow } from '#contract/extracted-values.ts'
import { open } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { fileNameOf, saveCsv, saveFile } from '#web/runs/shared/save-file.ts'
import { saving } from '#web/runs/shared/saving.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { pageText } from '#web/ui/form/query-texts.ts'
import { Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/crawl-overview.ts'
import { LANGUAGE } from '#texts/language.ts'

const PAGE_SIZE = 25
const FORMAT_NAMES = { json: 'JSON', jsonl: t.jsonLines, csv: 'CSV' } as const

type Row = { key: string; url: string; cells: ExtractedRow | null }

export function ExtractedData({ runId, name, live }: { runId: string; name: string; live: boolean }) {
  const inUrl = useQuery()
  const page = inUrl.page()
  const setPage = (to: number) => inUrl.change({ page: pageText(to) })
  const query = { page: page === 1 ? undefined : page, page_size: PAGE_SIZE }
  const data = useEndpoint(listExtractions, { params: { id: runId }, query }, { keepPreviousData: true, refreshInterval: live ? 5000 : 0 })
  const usage = useEndpoint(getModelUsage, { params: { id: runId } }, { refreshInterval: live ? 5000 : 0 })
  const results = data.data?.results ?? []
  const columns = new Set<string>()
  for (const { extraction } of results) addColumns(columns, extractedRows(extraction))
  // With more pages than the table shows, others may have data.
  const hasNoData = columns.size === 0 && (data.data?.count ?? 0) <= PAGE_SIZE
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-table text-soft">{usage.data && usage.data.calls > 0 ? usageText(usage.data) : ''}</p>
        <div className="flex flex-wrap gap-2" role="group" aria-label={t.downloadTheData}>
          {EXTRACTION_FORMATS.map((format) => (
            <Button
              key={format}
              size="small"
              icon={DownloadIcon}
              disabled={hasNoData}
              onClick={() => void save(runId, `${fileNameOf(name)}_data.${format}`, format)}
            >
              {FORMAT_NAMES[format]}
            </Button>
          ))}
        </div>
      </div>
      <Card>
        <PagedList
          answer={data}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={setPage}
          failed={t.theDataCouldNotBeLoaded}
          loading={t.loadingTheData}
          empty={<EmptyState net="plain" title={t.noPageYet} />}
        >
          {(pages, updating) => (
            <Table
              label={t.extractedData}
              columns={columnsOf(columns)}
              rows={pages.flatMap(rowsOf)}
              rowKey={({ key }) => key}
              updating={updating}
            />
          )}
        </PagedList>
      </Card>
    </div>
  )
}

/** A page without data keeps its row, because it was processed. */
function rowsOf({ extraction, url, uuid }: PageExtraction): Row[] {
  const rows = extractedRows(extraction)
  if (rows.length === 0) return [{ key: uuid, url, cells: null }]
  return rows.map((cells, index) => ({ key: `${uuid} ${index}`, url, cells }))
}

function columnsOf(names: ReadonlySet<string>): Column<Row>[] {
  return [
    {
      key: 'url',
      head: t.pageOfIt,
      card: 'main',
      cell: ({ cells, url }) => (
        <div className="w-56 min-w-0 max-sm:w-full">
          <p className="truncate max-sm:wrap-anywhere max-sm:whitespace-normal" title={url}>
            <OutsideLink url={url} />
          </p>
          {cells === null ? <p className="text-label text-faint">{t.nothingWasExtracted}</p> : <CardCells cells={cells} />}
        </div>
      ),
    },
    ...[...names].map((name): Column<Row> => ({
      key: t.dataOf(name),
      head: name,
      card: 'none',
      cell: ({ cells }) => <Cell value={cells?.[name]} />,
    })),
  ]
}

function Cell({ value }: { value: ExtractedRow[string] | undefined }) {
  if (value === undefined || value === null) return <span className="text-faint">–</span>
  const text = String(value)
  return (
    <span className="line-clamp-3 max-w-80 wrap-anywhere whitespace-normal" title={text}>
      {text}
    </span>
  )
}

/** On a phone the values are below the URL, each with its name. */
function CardCells({ cells }: { cells: ExtractedRow }) {
  return (
    <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 sm:hidden">
      {Object.entries(cells).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="max-w-40 text-label text-faint wrap-anywhere">{name}</dt>
          <dd className="line-clamp-3 wrap-anywhere">{value === null ? '–' : String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function usageText({
  answer_tokens,
  calls,
  cost,
  model,
  prompt_tokens,
}: {
  answer_tokens: number
  calls: number
  cost: number
  model: string | null
  prompt_tokens: number
}) {
  const tokens = t.tokensReadWritten(numberText(prompt_tokens), numberText(answer_tokens))
  return `${model}: ${t.calls(calls)}, ${tokens}${cost > 0 ? t.cost(cost.toLocaleString(LANGUAGE, { maximumSignificantDigits: 3 })) : ''}`
}

const save = (id: string, name: string, output_format: (typeof EXTRACTION_FORMATS)[number]): Promise<void> =>
  saving(`${id}-data`, async () => {
    const content = await (await open(downloadExtractions, { params: { id }, query: { output_format } })).blob()
    if (output_format === 'csv') saveCsv(name, content)
    else saveFile(name, content)
  })
