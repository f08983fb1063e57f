import { expect, test } from 'vitest'
import { diffText } from '@/agent/difference/diff-text'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Edit } from '@/lib/schemas/agent/difference'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { createReportReader } from './report-reader'

const HOST = 7

const headOf = (inventory: Inventory) => ({
  contractVersion: 1 as const,
  agentVersion: '0.1.0',
  position: { boot: 1, sequence: 1 },
  takenAt: '2026-01-01T00:00:00Z',
  digest: inventoryDigest(inventory),
  droppedReports: 0,
})

const wholeOf = (inventory: Inventory): string => encodeReportJson({ ...headOf(inventory), inventory })

const textOf = (inventory: Inventory): string => {
  const json = wholeOf(inventory)
  return json.slice(json.indexOf('"inventory":') + 12, -1)
}

const differenceOf = (before: Inventory, after: Inventory, edits?: Edit[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...headOf(after),
      base: inventoryDigest(before),
      edits: edits ?? diffText(textOf(before), textOf(after)),
    }),
  )

const first = t4SeedHost()
const [, ...otherGuests] = first.guests ?? []
const second: Inventory = {
  ...first,
  guests: otherGuests,
  problems: [{ source: '/sys', code: 'io', message: 'x' }],
}
const third: Inventory = { ...second, host: { ...second.host, osName: 'another' }, mdevs: [] }

test('a report that comes as a difference is what it is as a whole', () => {
  const reader = createReportReader()
  let before = first
  reader.read(HOST, Buffer.from(wholeOf(first)))
  for (const after of [second, third, first, third]) {
    const { report, body } = reader.readDifference(HOST, differenceOf(before, after))
    expect(report).toEqual({ ...headOf(after), inventory: after })
    expect(body.base).toBe(inventoryDigest(before))
    before = after
  }
})

test('what is refused leaves the base as it was', () => {
  const reader = createReportReader()
  reader.read(HOST, Buffer.from(wholeOf(first)))
  const bad = { ...second, problems: [{ source: '/sys', code: 'unheard-of' as 'io', message: 'x' }] }
  const refused: [Buffer, string][] = [
    [differenceOf(first, second, [[0, 0, ' ']]), 'digest_mismatch'],
    [differenceOf(first, second, [[90_000_000, 0, ' ']]), 'invalid_difference'],
    [differenceOf(first, second, [[2_000_000, 0, ' ']]), 'invalid_difference'],
    [differenceOf(first, bad), 'invalid_report'],
  ]
  for (const [json, code] of refused) {
    expect(() => reader.readDifference(HOST, json)).toThrow(expect.objectContaining({ code }))
  }
  expect(reader.readDifference(HOST, differenceOf(first, second)).report.inventory).toEqual(second)
})

test('a difference that comes again is read again, whole where it was stored whole', () => {
  const reader = createReportReader()
  reader.read(HOST, Buffer.from(wholeOf(first)))
  let before = first
  let fulls = 0
  for (let n = 0; n < 130; n += 1) {
    const after = before === first ? second : first
    const json = differenceOf(before, after)
    const { body } = reader.readDifference(HOST, json)
    expect(reader.readDifference(HOST, json).body).toEqual(body)
    if (body.full !== null) fulls += 1
    before = after
  }
  expect(fulls).toBe(2)
})

test('hosts whose first reports come together are stored whole at different times', () => {
  const reader = createReportReader()
  const places = [1, 2, 3].map((host) => {
    reader.read(host, Buffer.from(wholeOf(first)))
    return Array.from({ length: 64 }, (_, n) => {
      const [before, after] = n % 2 === 0 ? [first, second] : [second, first]
      return reader.readDifference(host, differenceOf(before, after)).body.full !== null
    }).indexOf(true)
  })
  expect(new Set(places).size).toBe(3)
})
