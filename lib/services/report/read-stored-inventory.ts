import 'server-only'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as z from 'zod'
import { type Inventory, inventorySchema } from '@/lib/schemas/agent/inventory'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'

const decompress = promisify(gunzip)

/** Of the stored report only the inventory is read here; the rest stands in the host's row. */
const storedReportSchema = z.looseObject({ inventory: inventorySchema })

/** The inventory in a host_inventory body. Throws when it has a form that this console does not know. */
export const readStoredInventory = async (body: Uint8Array): Promise<Inventory> => {
  const text = await decompress(body, { maxOutputLength: REPORT_LIMITS.uncompressedBytes })
  return storedReportSchema.parse(JSON.parse(text.toString())).inventory
}
