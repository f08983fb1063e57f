import 'server-only'
import * as z from 'zod'
import type { Query } from './database'
import type { Statement } from './statement'

/** The form of a row of a SQL statement. It parses what the database returned; a row of another form is an error. */
export type RowSchema<Row> = z.ZodType<Row>

/** Parses rows. Throws with the statement, the column and the rule: the statement and its schema disagree. */
const parseRows = <Row>(rows: readonly unknown[], schema: RowSchema<Row>, sql: string): Row[] =>
  rows.map((row) => {
    const parsed = schema.safeParse(row)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Error(
      `A row of "${sql.trim().slice(0, 80)}" has an unexpected ${issue?.path.join('.') || 'form'}: ${issue?.message}`,
      { cause: parsed.error },
    )
  })

export type RunSql = (sql: string | Statement, params: readonly unknown[]) => Promise<unknown[]>

/** The query function of a driver. */
export const createQuery = (run: RunSql): Query => {
  function query<Row>(
    sql: string | Statement,
    params: readonly unknown[],
    row: RowSchema<Row>,
  ): Promise<Row[]>
  function query(sql: string | Statement, params?: readonly unknown[]): Promise<unknown[]>
  async function query(
    sql: string | Statement,
    params: readonly unknown[] = [],
    row?: RowSchema<unknown>,
  ): Promise<unknown[]> {
    const rows = await run(sql, params)
    return row === undefined ? rows : parseRows(rows, row, typeof sql === 'string' ? sql : sql.text)
  }
  return query
}

/** Rows of which only the id is read. */
export const idRow = z.object({ id: z.int() })

/** A bigint column: a number, and a bigint past 2^53. */
export const bigintColumn = z.union([z.int(), z.bigint()])

/** A bytea column. */
export const bytesColumn = z.instanceof(Uint8Array)
