import 'server-only'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as z from 'zod'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import { parseKnown } from './read-message'

const decompress = promisify(gunzip)

/** Of the stored report only the inventory is read here; the rest is in the host's row. */
const storedReportSchema = z.looseObject({ inventory: z.unknown() })

/** A host's last report: gzip of its JSON. */
const storedInventoryRow = z.object({ hostId: z.int(), body: bytesColumn })
export type StoredInventory = z.infer<typeof storedInventoryRow>

const isUsual = compileCheck(inventorySchema)

// SQL: PGlite's adapter for Prisma reads bytes digit by digit.
const LOAD = `SELECT host_id AS "hostId", body FROM host_inventory WHERE host_id = ANY($1::int[])`

export const loadStoredInventories = (query: Query, hostIds: readonly number[]): Promise<StoredInventory[]> =>
  query(LOAD, [hostIds], storedInventoryRow)

/** The stored inventory as it was reported last. Throws when it has a form that this console does not know. */
export const readStoredInventory = async ({ body }: StoredInventory): Promise<Inventory> => {
  const report = await decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })
  const { inventory } = storedReportSchema.parse(JSON.parse(report.toString()))
  // It was checked when it arrived; members of a newer agent or console are left out here, too.
  return isUsual(inventory) ? inventory : parseKnown(inventorySchema, inventory)
}
