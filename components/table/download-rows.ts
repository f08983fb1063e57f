import type { CsvColumn, CsvValue } from './column'

/** The rows as a CSV file, named after the cloud and the minute. What writes it is loaded with the first file. */
export const downloadRows = async <Row>({
  cloud,
  what,
  columns,
  rows,
  same = { cloud },
}: {
  cloud: string
  /** Of the file's name. */
  what: string
  columns: readonly CsvColumn<Row>[]
  rows: readonly Row[]
  /** Fields with one value in all lines. */
  same?: Readonly<Record<string, CsvValue>>
}): Promise<void> => {
  const [{ columnCsv }, { downloadCsv }] = await Promise.all([
    import('./column-csv'),
    import('@/components/ui/download-text'),
  ])
  downloadCsv({ cloud, what, text: columnCsv(columns, rows, same) })
}
