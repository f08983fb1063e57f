import type { Query } from '@/lib/server/database/database'
import { type Cell, moment, pgColumn } from '@/lib/server/database/pg-array'
import { writeGuestChanges, writePgpuChanges } from '@/lib/services/report/write-history'
import type { HostPast, PastGuest } from '@/simulator/past/types'

const ROWS_AT_ONCE = 20_000

type Position = { boot: number; sequence: number }
/** `after`: the last position of the past that it continues. */
export type WrittenHost = { id: number; host: HostPast; after?: Position }

const WATCHES = `
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until)
SELECT a, 1, b, c, d, e FROM unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[], $5::timestamptz[]) AS r (a, b, c, d, e)`

const WORDS = `
INSERT INTO pgpu_cloud_change (host_id, address, at, advertised, advertised_used, stranded, service_state, aggregates, stranded_because)
SELECT a, b, c, d, e, f, g, h::text[], i
FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[]) AS r (a, b, c, d, e, f, g, h, i)`

const iso = (at: number): string => new Date(at).toISOString()

export const columnsOf = (rows: readonly (readonly Cell[])[], width: number): string[] =>
  Array.from({ length: width }, (_, position) => pgColumn(rows.map((row) => row[position] ?? null)))

const inParts = async <Row>(rows: readonly Row[], write: (part: readonly Row[]) => Promise<unknown>) => {
  for (let position = 0; position < rows.length; position += ROWS_AT_ONCE)
    await write(rows.slice(position, position + ROWS_AT_ONCE))
}

/** Positions as an agent would have given them: a boot for each stretch, a sequence for each moment. */
const positionsOf = ({
  host: { watches, points, holdings },
  after,
}: WrittenHost): ((at: number) => [boot: number, sequence: number]) => {
  const moments = [...new Set([...points, ...holdings].map(({ at }) => at))].toSorted((a, b) => a - b)
  const first = (after?.sequence ?? 0) + 1
  const sequences = new Map(moments.map((at, position) => [at, first + position]))
  return (at) => {
    if (after !== undefined) return [after.boot, sequences.get(at) ?? first + moments.length]
    const boot = watches.findIndex(({ until }) => at <= until)
    return [boot < 0 ? watches.length : boot + 1, sequences.get(at) ?? first + moments.length]
  }
}

const pgpuRows = (written: WrittenHost): Cell[][] => {
  const positionOf = positionsOf(written)
  const { id: hostId, host } = written
  return host.points.map((point) => {
    const { at, address, typeId, framework, capacity, used, spare, orphan, returning, creatable } = point
    const numbers = [capacity, used, spare, orphan, returning, creatable]
    const position = [hostId, 1, ...positionOf(at), moment(at)]
    return [...position, address, typeId, framework, ...numbers, point.typeName, point.model]
  })
}

/** A guest as a row of its holdings. */
export const holderCells = (holding: PastGuest): Cell[] => {
  const { uuid, name, flavorName, projectId, projectName, addresses, typeIds } = holding
  return [uuid, name, flavorName, projectId, projectName, addresses, typeIds]
}

const guestRows = (written: WrittenHost): Cell[][] => {
  const positionOf = positionsOf(written)
  const { id: hostId, host } = written
  return host.holdings.map((holding) => [
    hostId,
    1,
    ...positionOf(holding.at),
    moment(holding.at),
    ...holderCells(holding),
  ])
}

/** Writes what changed on the hosts, in the product's own statements where it has them, and when they were watched. */
export const writeHosts = async (query: Query, hosts: readonly WrittenHost[]): Promise<void> => {
  const stretches = hosts.flatMap(({ id, host }) =>
    host.watches
      .slice(0, -1)
      .map(({ since, until }, position) => [id, position + 1, 1, iso(since), iso(until)]),
  )
  await query(WATCHES, columnsOf(stretches, 5))
  const words = hosts.flatMap(({ id, host }) =>
    host.words.map((word): Cell[] => {
      const { at, address, advertised, advertisedUsed, stranded, serviceState, aggregates, because } = word
      const numbers = [advertised, advertisedUsed, stranded]
      return [id, address, iso(at), ...numbers, serviceState, aggregates, because]
    }),
  )
  await inParts(words, (part) => query(WORDS, columnsOf(part, 9)))
  await inParts(hosts.flatMap(pgpuRows), (part) => writePgpuChanges(query, part))
  await inParts(hosts.flatMap(guestRows), (part) => writeGuestChanges(query, part))
}
