import type { Database } from '@/lib/server/database/database'
import { createQuery } from '@/lib/server/database/row'

/** The same database, which notes the statements that hold a text. What services keep by database is kept for it apart. */
export const countingDatabase = (
  database: Database,
  text: string,
): { database: Database; statements: string[] } => {
  const statements: string[] = []
  const query = createQuery((sql, params) => {
    if (typeof sql === 'string' && sql.includes(text)) statements.push(sql)
    return database.query(sql, params)
  })
  return { database: { ...database, query }, statements }
}
