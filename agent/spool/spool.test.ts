import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { CONTRACT_VERSION, type Position } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { openSpool, type Spool } from './spool'
import { decodeReport, encodeReport, moveReport, type SpoolEntry } from './spool-entry'

let directory: string
let lines: string[]
let lost: number

beforeEach(async () => {
  directory = path.join(await mkdtemp(path.join(tmpdir(), 'sliceboard-spool-')), 'spool')
  lines = []
  lost = 0
})
afterEach(() => rm(path.dirname(directory), { recursive: true, force: true }))

const open = (limits: { maxBytes?: number; maxReports?: number } = {}) =>
  openSpool({
    directory,
    maxBytes: limits.maxBytes ?? 1_000_000,
    maxReports: limits.maxReports ?? 1000,
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    onLost: async (count) => {
      lost += count
    },
  })

const digest = 'd'.repeat(43)
const entry = (boot: number, sequence: number, filler = ''): SpoolEntry => {
  const position = { boot, sequence }
  return { position, digest, body: gzipSync(JSON.stringify({ position, digest, filler })), watchedMs: null }
}
const reportAt = (position: Position): Report => ({
  contractVersion: CONTRACT_VERSION,
  agentVersion: '0.1.0',
  position,
  takenAt: '2026-03-01T12:00:00.000Z',
  digest,
  droppedReports: 0,
  inventory: t4SeedHost(),
})
const nameOf = ({ boot, sequence }: Position) => `${boot}.${sequence}`
const drain = async (spool: Spool): Promise<string[]> => {
  const seen: string[] = []
  for (let next = await spool.oldest(); next !== null; next = await spool.oldest()) {
    seen.push(nameOf(next.position))
    await spool.remove(next.position)
  }
  return seen
}
const fileName = (boot: number, sequence: number) =>
  `${String(boot).padStart(10, '0')}-${String(sequence).padStart(10, '0')}.json.gz`

test('reports come out in the order of boot and sequence, also after a restart', async () => {
  const first = await open()
  for (const position of [entry(2, 10), entry(2, 9), entry(10, 1), entry(1, 100)]) await first.add(position)
  const second = await open()
  expect(await drain(second)).toEqual(['1.100', '2.9', '2.10', '10.1'])
  expect(await drain(await open())).toEqual([])
})

test('what comes out is byte for byte what went in', async () => {
  const spool = await open()
  const given = entry(1, 1, 'ä"\n')
  await spool.add(given)
  expect(await spool.oldest()).toEqual(given)
})

test('a full spool drops the oldest by bytes and counts them', async () => {
  const size = entry(1, 1).body.length
  const spool = await open({ maxBytes: size * 3 + 20 })
  for (let sequence = 1; sequence <= 5; sequence += 1) await spool.add(entry(1, sequence))
  expect(lost).toBe(2)
  expect(spool.bytes()).toBeLessThanOrEqual(size * 3 + 20)
  expect(lines.join()).toContain('dropped the oldest')
  expect(await drain(spool)).toEqual(['1.3', '1.4', '1.5'])
})

test('a full spool drops the oldest by count', async () => {
  const spool = await open({ maxReports: 2 })
  for (let sequence = 1; sequence <= 4; sequence += 1) await spool.add(entry(1, sequence))
  expect(lost).toBe(2)
  expect(await drain(spool)).toEqual(['1.3', '1.4'])
})

test('the report that is being sent is not dropped', async () => {
  const spool = await open({ maxReports: 2 })
  await spool.add(entry(1, 1))
  await spool.oldest()
  for (let sequence = 2; sequence <= 4; sequence += 1) await spool.add(entry(1, sequence))
  expect(spool.positions().map(nameOf)).toEqual(['1.1', '1.4'])
  spool.release()
  await spool.add(entry(1, 5))
  expect(spool.positions().map(nameOf)).toEqual(['1.4', '1.5'])
})

test('half-written files of a killed agent are removed, with a warning', async () => {
  await (await open()).add(entry(1, 1))
  await writeFile(path.join(directory, `${fileName(1, 2)}.tmp`), 'half')
  const spool = await open()
  expect(lines.join()).toContain('Removed 1 half-written')
  expect(await readdir(directory)).toEqual([fileName(1, 1), 'rejected'])
  expect(await drain(spool)).toEqual(['1.1'])
})

test.each([
  ['empty', Buffer.alloc(0)],
  ['no gzip', Buffer.from('hello')],
  ['cut short', entry(1, 1, 'x'.repeat(500)).body.subarray(0, 40)],
  ['no JSON', gzipSync('{')],
  ['of another position', entry(7, 7).body],
  ['without a digest', gzipSync(JSON.stringify({ position: { boot: 1, sequence: 1 } }))],
  ['a bomb', gzipSync(Buffer.alloc(20_000_000))],
])('an entry that is %s is set aside, counted and does not block the queue', async (_what, body) => {
  const spool = await open()
  await spool.add(entry(1, 2))
  await writeFile(path.join(directory, fileName(1, 1)), body)
  const reopened = await open()
  expect(await drain(reopened)).toEqual(['1.2'])
  expect(lost).toBe(1)
  expect(lines.join()).toContain(`${fileName(1, 1)} is unreadable and set aside`)
  expect(await readdir(path.join(directory, 'rejected'))).toEqual([fileName(1, 1)])
})

test('a directory or a vanished file in the place of a report does not block the queue', async () => {
  const spool = await open()
  for (const sequence of [1, 2, 3]) await spool.add(entry(1, sequence))
  await rm(path.join(directory, fileName(1, 1)))
  await rm(path.join(directory, fileName(1, 2)))
  await mkdir(path.join(directory, fileName(1, 2)))
  expect(await drain(spool)).toEqual(['1.3'])
  expect(lost).toBe(2)
})

test('files that are not ours stay', async () => {
  await mkdir(directory, { recursive: true })
  await writeFile(path.join(directory, 'notes.txt'), 'mine')
  expect(await drain(await open())).toEqual([])
  expect(await readFile(path.join(directory, 'notes.txt'), 'utf8')).toBe('mine')
})

test('of the refused reports the newest ten are kept', async () => {
  const spool = await open()
  for (let sequence = 1; sequence <= 12; sequence += 1) {
    await spool.add(entry(1, sequence))
    await spool.setAside({ boot: 1, sequence })
  }
  const names = await readdir(path.join(directory, 'rejected'))
  expect(names).toHaveLength(10)
  expect(names.sort()[0]).toBe(fileName(1, 3))
  expect(spool.positions()).toEqual([])
})

test('a write that fails rejects, leaves no half file and keeps the queue', async () => {
  const spool = await open()
  await spool.add(entry(1, 1))
  await mkdir(path.join(directory, `${fileName(1, 2)}.tmp`))
  await expect(spool.add(entry(1, 2))).rejects.toThrow('EISDIR')
  expect(await drain(spool)).toEqual(['1.1'])
})

const watchedEntry = (sequence: number, watchedMs: number | null) =>
  encodeReport(reportAt({ boot: 1, sequence }), watchedMs)

test('how long the host was watched before a report survives in its file, and the body stays a gzip of the report', async () => {
  const spool = await open()
  await spool.add(await watchedEntry(1, 90_000))
  await spool.add(await watchedEntry(2, null))
  const again = await open()
  const first = await again.oldest()
  expect(first?.watchedMs).toBe(90_000)
  expect(JSON.parse(gunzipSync(first?.body ?? '').toString())).toMatchObject({ position: { sequence: 1 } })
  await again.delivered({ boot: 1, sequence: 1 })
  expect((await again.oldest())?.watchedMs).toBeNull()
  const moved = await moveReport(await watchedEntry(3, 7), { boot: 2, sequence: 1 })
  expect(await decodeReport(moved.body, { boot: 2, sequence: 1 })).toMatchObject({ watchedMs: 7 })
})

test('after lost reports the next one knows of no time before itself, and the one after it again does', async () => {
  const spool = await open({ maxReports: 3 })
  for (const sequence of [1, 2, 3, 4]) await spool.add(await watchedEntry(sequence, 1000 * sequence))
  const delivered: unknown[] = []
  for (let next = await spool.oldest(); next !== null; next = await spool.oldest()) {
    delivered.push([next.position.sequence, next.watchedMs])
    await spool.delivered(next.position)
  }
  expect(delivered).toEqual([
    [2, 0],
    [3, 3000],
    [4, 4000],
  ])
})

test('a report that is tried before older ones knows of no time before itself', async () => {
  const spool = await open()
  for (const sequence of [1, 2]) await spool.add(await watchedEntry(sequence, 1000 * sequence))
  expect((await spool.oldest(1))?.watchedMs).toBe(0)
  expect((await spool.oldest())?.watchedMs).toBe(1000)
})
