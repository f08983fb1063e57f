import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'

const CHANGES = [
  'history_address',
  'pgpu_point',
  'guest_owner',
  'held_vgpus',
  'pgpu_change',
  'guest_change',
  'pgpu_cloud_change',
  'host_watch',
  'limit_change',
  'refused_server',
]
const ROLL_UPS = ['capacity_roll_up', 'roll_up_label', 'roll_up']

/** Tables with their partitions, indexes and TOAST. */
const SIZE = `
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes FROM pg_class c
WHERE c.relkind = 'r' AND (c.relname = ANY($1::text[]) OR c.oid IN (
  SELECT inhrelid FROM pg_inherits WHERE inhparent = ANY(SELECT oid FROM pg_class WHERE relname = ANY($1::text[]))))`

export type Sizes = { changes: number; rollUps: number }

const sizeOf = async ({ query }: Database, tables: readonly string[]): Promise<number> =>
  Number((await query(SIZE, [`{${tables.join()}}`], anyRow<{ bytes: number }>()))[0]?.bytes ?? 0)

/** Bytes of the history on disk. Changes grow with the pGPUs, roll-ups with the groups alone. */
export const measureSizes = async (database: Database): Promise<Sizes> => ({
  changes: await sizeOf(database, CHANGES),
  rollUps: await sizeOf(database, ROLL_UPS),
})
