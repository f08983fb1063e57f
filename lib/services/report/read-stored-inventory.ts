import 'server-only'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import { applyEdits, type Edit, editedLength, editsSchema } from '@/lib/schemas/agent/difference'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { Query } from '@/lib/server/database/database'
import { parseKnown } from './newer-contract'
import { createTextPool } from './text-pool'

const decompress = promisify(gunzip)

/** Of the stored report only the inventory is read here; the rest stands in the host's row. */
const storedReportSchema = z.looseObject({ inventory: z.unknown() })
const storedEditsSchema = z.array(editsSchema)
const isUsual = compileCheck(inventorySchema)
const areUsualEdits = compileCheck(storedEditsSchema)

/** A host's last whole report and the differences after it. */
export type StoredInventory = {
  hostId: number
  body: Uint8Array
  /** Each as JSON, with commas between, oldest first; null for none. */
  differences: Uint8Array | null
}

// One statement, so that the report, its differences and their number are of one moment.
const LOAD = `
SELECT i.host_id AS "hostId", i.body,
  (SELECT string_agg(d.edits, ','::bytea ORDER BY d.place) FROM host_difference d
   WHERE d.host_id = i.host_id AND d.place < h.applied_reports - i.version) AS differences
FROM host_inventory i JOIN host h ON h.id = i.host_id WHERE i.host_id = ANY($1::int[])`

export const loadStoredInventories = (query: Query, hostIds: readonly number[]): Promise<StoredInventory[]> =>
  query<StoredInventory>(LOAD, [hostIds])

const INVENTORY_KEY = '"inventory":'

/** What was stored was checked when it came; what a newer agent or console knew of it is left out here, too. */
const checked = (input: unknown): Inventory => (isUsual(input) ? input : parseKnown(inventorySchema, input))

const parseEdits = (json: Uint8Array): readonly (readonly Edit[])[] => {
  const input: unknown = JSON.parse(`[${Buffer.from(json).toString()}]`)
  return areUsualEdits(input) ? input : storedEditsSchema.parse(input)
}

/** The text with all edits made, one difference after the other, in two buffers by turns. */
const applyAll = (base: Buffer, differences: readonly (readonly Edit[])[]): Buffer => {
  const pool = createTextPool()
  let text = base
  let held: Buffer | null = null
  for (const edits of differences) {
    const length = editedLength(text.length, edits)
    if (length === null || length > REPORT_LIMITS.uncompressedBytes)
      throw new Error('a stored difference does not fit the report before it')
    const target = pool.take(length)
    applyEdits(text, edits, target)
    if (held !== null) pool.give(held)
    held = target
    text = target.subarray(0, length)
  }
  return text
}

/** The stored inventory as it was reported last. Throws when it has a form that this console does not know. */
export const readStoredInventory = async ({ body, differences }: StoredInventory): Promise<Inventory> => {
  const report = await decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })
  if (differences === null) return checked(storedReportSchema.parse(JSON.parse(report.toString())).inventory)
  // Only a report in canonical form is followed by differences: its inventory stands last.
  const base = report.subarray(report.indexOf(INVENTORY_KEY) + INVENTORY_KEY.length, -1)
  return checked(JSON.parse(applyAll(base, parseEdits(differences)).toString()))
}
