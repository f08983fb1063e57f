import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type Statement, statement } from '@/lib/server/database/statement'

type Write = { statement: Statement; params: readonly unknown[] }

/** Which writes come together follows from what changed, so there are few combinations. */
const folded = new Map<string, Statement>()

const shifted = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + by}`)

const fold = (writes: readonly Write[]): Statement => {
  const key = writes.map(({ statement: { name } }) => name).join()
  const known = folded.get(key)
  if (known !== undefined) return known
  let before = 0
  const parts = writes.map(({ statement: { text }, params }, place) => {
    const part = `w${place} AS (${shifted(text, before)})`
    before += params.length
    return part
  })
  const made = statement(`WITH ${parts.join(', ')} SELECT 1 AS done`)
  folded.set(key, made)
  return made
}

/**
 * Runs what `work` writes by prepared statements as one statement at its end: each call into the database costs as much as
 * some ten rows. None of the writes may read what another one writes, and none gives rows back.
 */
export const foldStatements = async (query: Query, work: (query: Query) => Promise<void>): Promise<void> => {
  const writes: Write[] = []
  await work(async <Row>(sql: string | Statement, params: readonly unknown[] = []) => {
    if (typeof sql === 'string') return query<Row>(sql, params)
    writes.push({ statement: sql, params })
    return []
  })
  const [first] = writes
  if (first === undefined) return
  if (writes.length === 1) await query(first.statement, first.params)
  else
    await query(
      fold(writes),
      writes.flatMap(({ params }) => params),
    )
}
