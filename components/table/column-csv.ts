import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import type { CsvColumn, CsvValue } from './column'

/**
 * The rows in the given order, with a field for each column that has `csv`, after those that are the same in each line. An unknown
 * value is an empty field, never a zero.
 */
export const columnCsv = <Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  same: Readonly<Record<string, CsvValue>>,
): Encoded<'csv'> => {
  const fields = columns.flatMap(({ id, csv }) => (csv === undefined ? [] : [{ id, csv }]))
  return csvText([
    [...Object.keys(same), ...fields.map(({ id }) => id)],
    ...rows.map((row) => [...Object.values(same), ...fields.map(({ csv }) => csv(row))]),
  ])
}
