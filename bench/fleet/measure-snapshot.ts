import { gzipSync } from 'node:zlib'
import { type GpuColumns, gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import type { Database } from '@/lib/server/database/database'
import { createFleetSnapshot } from '@/lib/services/fleet/fleet-snapshot'
import { kilobytes, milliseconds, printTable, times } from './print-table'
import { changeHosts } from './seed-fleet'

const timed = async <Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> => {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The same facts as a list of objects, as an API without columns would send them. */
const asRows = (gpus: GpuColumns): string => {
  const { columns: c } = gpus
  return JSON.stringify(
    c.hostIndex.map((host, row) => ({
      host: gpus.hosts[host],
      address: gpus.addresses[c.addressIndex[row] ?? 0],
      model: gpus.models[c.modelIndex[row] ?? 0],
      framework: gpus.frameworks[c.frameworkIndex[row] ?? 0],
      type: gpus.types[c.typeIndex[row] ?? -1] ?? null,
      range: gpus.ranges[c.rangeIndex[row] ?? -1] ?? null,
      numaNode: c.numaNode[row],
      framebufferMib: c.framebufferMib[row],
      capacity: c.capacity[row],
      used: c.used[row],
      spare: c.spare[row],
      orphan: c.orphan[row],
      returning: c.returning[row],
      creatable: c.creatable[row],
      finding: gpus.findings[c.findingIndex[row] ?? -1] ?? null,
      reason: gpus.reasons[c.reasonIndex[row] ?? -1] ?? null,
    })),
  )
}

/** What the console does inside: building, noticing that nothing changed, following changes; and what columns save. */
export const measureSnapshot = async (
  database: Database,
  cloud: { id: number; name: string },
): Promise<void> => {
  const newSnapshot = () => createFleetSnapshot({ query: database.query, cloud, longestRestMs: 0 })
  await newSnapshot().current()
  const snapshot = newSnapshot()
  const cold = await timed(() => snapshot.current())
  const unchanged = median(await repeat(20, async () => (await timed(() => snapshot.current())).ms))
  let turn = 0
  const follow = async (hostCount: number): Promise<number> => {
    await changeHosts(database, { hostCount, turn: ++turn })
    return (await timed(async () => (await snapshot.current()).encoded.gzip())).ms
  }
  const few = median(await repeat(7, () => follow(20)))
  const many = median(await repeat(5, () => follow(600)))
  printTable(`Snapshot in the process (${database.kind})`, [
    ['', 'time', 'against cold'],
    ['cold: all rows read and encoded', milliseconds(cold.ms), ''],
    ['600 hosts changed: read, encoded, gzip', milliseconds(many), `1/${times(cold.ms / many)}`],
    ['20 hosts changed: read, encoded, gzip', milliseconds(few), `1/${times(cold.ms / few)}`],
    ['unchanged: asked and known', milliseconds(unchanged), `1/${times(cold.ms / unchanged)}`],
  ])
  const { identity } = (await snapshot.current()).encoded
  const rows = Buffer.from(asRows(gpuColumnsSchema.parse(JSON.parse(identity.toString()))))
  const zipped = [gzipSync(identity, { level: 4 }).length, gzipSync(rows, { level: 4 }).length] as const
  printTable('Columns against rows', [
    ['', 'JSON', 'gzip'],
    ['columns', kilobytes(identity.length), kilobytes(zipped[0])],
    ['rows', kilobytes(rows.length), kilobytes(zipped[1])],
    ['rows are', times(rows.length / identity.length), times(zipped[1] / zipped[0])],
  ])
}

const repeat = async (count: number, work: () => Promise<number>): Promise<number[]> => {
  const values: number[] = []
  for (let turn = 0; turn < count; turn++) values.push(await work())
  return values
}
