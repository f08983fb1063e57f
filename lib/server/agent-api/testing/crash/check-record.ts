import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { comparePositions, formatPosition } from '@/lib/schemas/agent/report'
import { anyRow } from '@/lib/server/testing/any-row'
import { loadStoredInventories, readStoredInventory } from '@/lib/services/report/read-stored-inventory'
import type { Query } from '../../../database/database'
import { type CrashRecord, type Numbers, numbersOf, type SentReport } from './crash-record'

type HostRow = { id: number; digest: string | null; applied_reports: number; taken_at: Date | null }
type NumbersRow = {
  address: string
  boot: number
  sequence: number
  type_id: string | null
  framework: string
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  returning: number | null
  creatable: number | null
}

/**
 * Compares the database with the recorded traffic: every acknowledged report is stored once, under one position, none is
 * missing or duplicated, and the current state is that of the host's tree. Returns the differences as sentences.
 */
export const checkRecord = async ({
  query,
  record,
  trees,
}: {
  query: Query
  record: CrashRecord
  /** A current scan of each host's tree. */
  trees: readonly Inventory[]
}): Promise<string[]> => {
  const violations: string[] = []
  for (const tree of trees) {
    const host = tree.host.name
    const sent = [...record.sent.values()].filter((report) => report.host === host)
    sent.sort((a, b) => comparePositions(a.position, b.position))
    const found = [...checkWire(sent), ...(await checkDatabase(query, tree, sent))]
    violations.push(...found.map((violation) => `${host}: ${violation}`))
  }
  return violations
}

const checkWire = function* (sent: readonly SentReport[]): Generator<string> {
  const positions = new Map<string, string[]>()
  for (const { position, contents, acknowledgements } of sent) {
    const at = formatPosition(position)
    if (contents.size > 1) yield `${at} carried ${contents.size} different reports`
    for (const content of contents) positions.set(content, [...(positions.get(content) ?? []), at])
    if (acknowledgements.length === 0) yield `${at} was sent and never acknowledged`
    const applied = acknowledgements.filter(({ isApplied }) => isApplied).length
    if (applied > 1) yield `${at} was applied ${applied} times`
  }
  for (const [content, at] of positions)
    if (at.length > 1) yield `the report ${content} travelled under ${at.join(' and ')}`
}

const checkDatabase = async (
  query: Query,
  tree: Inventory,
  sent: readonly SentReport[],
): Promise<string[]> => {
  const violations: string[] = []
  const [host] = await query(
    'SELECT id, digest, applied_reports, taken_at FROM host WHERE name = $1',
    [tree.host.name],
    anyRow<HostRow>(),
  )
  if (host === undefined) return ['is not in the database']
  const acknowledged = sent.filter(({ acknowledgements }) => acknowledgements.length > 0)
  if (Number(host.applied_reports) !== acknowledged.length)
    violations.push(`${acknowledged.length} reports were acknowledged, ${host.applied_reports} were applied`)
  if (host.digest !== inventoryDigest(tree)) violations.push('the stored digest is not the one of the tree')
  const [stored] = await loadStoredInventories(query, [host.id])
  const facts = stored === undefined ? null : await readStoredInventory(stored)
  if (facts === null || inventoryDigest(facts) !== inventoryDigest(tree))
    violations.push('the stored inventory is not the one of the tree')
  const last = acknowledged.at(-1)
  const storedAt = host.taken_at?.toISOString() ?? 'no time'
  if (last !== undefined && storedAt !== new Date(last.takenAt).toISOString())
    violations.push(`the last report was taken at ${last.takenAt}, the stored one at ${storedAt}`)
  violations.push(...compare('history', expectedHistory(acknowledged), await storedHistory(query, host.id)))
  violations.push(...compare('pGPUs', numbersLines(numbersOf(tree)), await storedNumbers(query, host.id)))
  return violations
}

/** A line for each pGPU whose numbers a report changed. */
const expectedHistory = (acknowledged: readonly SentReport[]): string[] => {
  let before: Numbers = new Map()
  return acknowledged.flatMap(({ position, numbers }) => {
    const changed = [...numbers].filter(([address, text]) => before.get(address) !== text)
    before = numbers
    return changed.map(([address, text]) => `${formatPosition(position)} ${address} ${text}`)
  })
}

const numbersLines = (numbers: Numbers): string[] =>
  [...numbers].map(([address, text]) => `${address} ${text}`)

const rowText = (row: NumbersRow): string =>
  JSON.stringify([
    row.type_id,
    row.framework,
    row.capacity,
    row.used,
    row.spare,
    row.orphan,
    row.returning,
    row.creatable,
  ])

const storedHistory = async (query: Query, hostId: number): Promise<string[]> => {
  const rows = await query(
    'SELECT * FROM pgpu_history WHERE host_id = $1 ORDER BY enrolment, boot, sequence, address',
    [hostId],
    anyRow<NumbersRow>(),
  )
  return rows.map((row) => `${formatPosition(row)} ${row.address} ${rowText(row)}`)
}

const storedNumbers = async (query: Query, hostId: number): Promise<string[]> => {
  const rows = await query(
    'SELECT p.address, t.type_id, p.framework, p.capacity, p.used, p.spare, p.orphan, p."returning", p.creatable FROM pgpu p LEFT JOIN vgpu_type t ON t.id = p.type_id WHERE p.host_id = $1 ORDER BY p.address',
    [hostId],
    anyRow<NumbersRow>(),
  )
  return rows.map((row) => `${row.address} ${rowText(row)}`)
}

const compare = (what: string, expected: readonly string[], stored: readonly string[]): string[] => {
  const missing = expected.filter((line) => !stored.includes(line))
  const surplus = stored.filter((line) => !expected.includes(line))
  const doubled = stored.filter((line, index) => stored.indexOf(line) !== index)
  return [
    ...missing.map((line) => `${what}: missing ${line}`),
    ...surplus.map((line) => `${what}: surplus ${line}`),
    ...doubled.map((line) => `${what}: doubled ${line}`),
  ]
}
