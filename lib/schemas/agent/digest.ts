import { createHash } from 'node:crypto'
import type { Inventory } from './inventory'
import type { Report } from './whole-report'

/** JSON with the keys of every object in code unit order, so that equal values give equal text. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/**
 * Digest of an inventory: SHA-256 of its canonical JSON in base64url, 43 characters. Agent and console compute it alike;
 * the order of keys does not count, the order of list entries does.
 */
export const inventoryDigest = (inventory: Inventory): string =>
  createHash('sha256').update(canonicalJson(inventory), 'utf8').digest('base64url')

/**
 * JSON of a report as agents send it: `inventory` last and in the canonical form, so that the console finds the bytes under
 * the digest as they stand. It takes any other order too, with more work.
 */
export const encodeReportJson = ({ inventory, ...head }: Report): string =>
  `${JSON.stringify(head).slice(0, -1)},"inventory":${canonicalJson(inventory)}}`
