import { diffText } from '@/agent/difference/diff-text'
import type { Difference, Edit } from '@/lib/schemas/agent/difference'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, type Position } from '@/lib/schemas/agent/report'

export const TAKEN_AT = '2026-01-01T00:00:00.000Z'
const FIRST: Position = { boot: 1, sequence: 1 }
const KEY = '"inventory":'

/** What an agent says of a report before its inventory. */
export const reportHead = (inventory: Inventory, position = FIRST) => ({
  contractVersion: CONTRACT_VERSION as 1,
  agentVersion: '0.1.0',
  position,
  takenAt: TAKEN_AT,
  digest: inventoryDigest(inventory),
  droppedReports: 0,
})

/** A whole report in the canonical form, in which agents send it. */
export const reportText = (inventory: Inventory, position = FIRST): string =>
  encodeReportJson({ ...reportHead(inventory, position), inventory })

/** The text under an inventory's digest. */
export const inventoryText = (inventory: Inventory): string => {
  const json = reportText(inventory)
  return json.slice(json.indexOf(KEY) + KEY.length, -1)
}

/** A difference as an agent sends it to a console that has the base. */
export const differenceJson = ({
  base,
  inventory,
  position = FIRST,
  edits = diffText(inventoryText(base), inventoryText(inventory)),
}: {
  base: Inventory
  inventory: Inventory
  position?: Position
  edits?: Edit[]
}): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...reportHead(inventory, position),
      base: inventoryDigest(base),
      edits,
    } satisfies Difference),
  )
