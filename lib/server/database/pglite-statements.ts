import 'server-only'
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import type { Statement } from './statement'

const messageTo = protocol.serialize

type Prepared = { parameters: number[]; fields: messages.Field[]; uses: number }

/** Tables grow and nothing analyses them in PGlite, so a plan that was made for small ones must not stay. */
const MOST_USES = 500

type RunStatement = <Row>(statement: Statement, params: readonly unknown[]) => Promise<Row[]>

/**
 * Runs prepared statements on PGlite. Its own `query` parses and plans anew each time and calls into PostgreSQL six times;
 * this is one call with everything in it (measured with 32 rows: 0.4 ms instead of 1.8).
 */
export const createPgliteStatements = (client: PGlite): RunStatement => {
  const known = new Map<string, Prepared>()

  const call = (...parts: Uint8Array[]): Promise<messages.BackendMessage[]> =>
    client.runExclusive(() =>
      client.execProtocolStream(Buffer.concat([...parts, messageTo.sync()]), { syncToFs: false }),
    )

  const prepare = async ({ name, text }: Statement): Promise<Prepared> => {
    known.delete(name)
    const answers = await call(
      messageTo.close({ type: 'S', name }),
      messageTo.parse({ name, text }),
      messageTo.describe({ type: 'S', name }),
    )
    const prepared: Prepared = { parameters: [], fields: [], uses: 0 }
    for (const answer of answers) {
      if (answer instanceof messages.ParameterDescriptionMessage) prepared.parameters = answer.dataTypeIDs
      if (answer instanceof messages.RowDescriptionMessage) prepared.fields = answer.fields
    }
    known.set(name, prepared)
    return prepared
  }

  const serialize = (value: unknown, type: number | undefined): string | null => {
    if (value === null || value === undefined) return null
    const serializer = type === undefined ? undefined : client.serializers[type]
    return serializer === undefined ? String(value) : serializer(value)
  }

  const readRow = (answer: messages.DataRowMessage, fields: readonly messages.Field[]): unknown =>
    Object.fromEntries(
      fields.map(({ name, dataTypeID }, place) => {
        const text = answer.fields[place] ?? null
        const parser = client.parsers[dataTypeID]
        return [name, text === null || parser === undefined ? text : parser(text, dataTypeID)]
      }),
    )

  return async <Row>(statement: Statement, params: readonly unknown[]) => {
    const held = known.get(statement.name)
    const prepared = held === undefined || held.uses >= MOST_USES ? await prepare(statement) : held
    prepared.uses += 1
    const values = params.map((value, place) => serialize(value, prepared.parameters[place]))
    const answers = await call(messageTo.bind({ statement: statement.name, values }), messageTo.execute({}))
    const rows: unknown[] = []
    for (const answer of answers)
      if (answer instanceof messages.DataRowMessage) rows.push(readRow(answer, prepared.fields))
    return rows as Row[]
  }
}
