import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { createReportReader } from './report-reader'
import { differenceJson, reportHead, reportText } from './testing/sent-report'

const HOST = 7

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
  reader.read(HOST, Buffer.from(reportText(first)))
  for (const after of [second, third, first, third]) {
    const { report, body } = reader.readDifference(HOST, differenceJson({ base: before, inventory: after }))
    expect(report).toEqual({ ...reportHead(after), inventory: after })
    expect(body.base).toBe(inventoryDigest(before))
    before = after
  }
})

test('what is refused leaves the base as it was', () => {
  const reader = createReportReader()
  reader.read(HOST, Buffer.from(reportText(first)))
  const bad = { ...second, problems: [{ source: '/sys', code: 'unheard-of' as 'io', message: 'x' }] }
  const refused: [Buffer, string][] = [
    [differenceJson({ base: first, inventory: second, edits: [[0, 0, ' ']] }), 'digest_mismatch'],
    [differenceJson({ base: first, inventory: second, edits: [[90_000_000, 0, ' ']] }), 'invalid_difference'],
    [differenceJson({ base: first, inventory: second, edits: [[2_000_000, 0, ' ']] }), 'invalid_difference'],
    [differenceJson({ base: first, inventory: bad }), 'invalid_report'],
  ]
  for (const [json, code] of refused) {
    expect(() => reader.readDifference(HOST, json)).toThrow(expect.objectContaining({ code }))
  }
  expect(
    reader.readDifference(HOST, differenceJson({ base: first, inventory: second })).report.inventory,
  ).toEqual(second)
})

test('a difference that comes again is read again, whole where it was stored whole', () => {
  const reader = createReportReader()
  reader.read(HOST, Buffer.from(reportText(first)))
  let before = first
  let fulls = 0
  for (let n = 0; n < 130; n += 1) {
    const after = before === first ? second : first
    const json = differenceJson({ base: before, inventory: after })
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
    reader.read(host, Buffer.from(reportText(first)))
    return Array.from({ length: 64 }, (_, n) => {
      const [before, after] = n % 2 === 0 ? [first, second] : [second, first]
      return (
        reader.readDifference(host, differenceJson({ base: before, inventory: after })).body.full !== null
      )
    }).indexOf(true)
  })
  expect(new Set(places).size).toBe(3)
})
