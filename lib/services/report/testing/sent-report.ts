import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, type Position } from '@/lib/schemas/agent/report'

export const TAKEN_AT = '2026-01-01T00:00:00.000Z'
const FIRST: Position = { boot: 1, sequence: 1 }

/** The part of a report before its inventory. */
export const reportHead = (inventory: Inventory, position = FIRST, takenAt = TAKEN_AT) => ({
  contractVersion: CONTRACT_VERSION as 1,
  agentVersion: '0.1.0',
  position,
  takenAt,
  digest: inventoryDigest(inventory),
  droppedReports: 0,
})

/** A whole report in the canonical form, in which agents send it. */
export const reportText = (inventory: Inventory, position = FIRST, takenAt = TAKEN_AT): string =>
  encodeReportJson({ ...reportHead(inventory, position, takenAt), inventory })
