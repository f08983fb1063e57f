import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Database } from '@/lib/server/database/database'
import { refoldHost } from './fold-samples'
import { rollUpUsage } from './roll-up-groups'

const MEASURED = `
SELECT DISTINCT host_id AS "hostId" FROM utilisation_minute WHERE begin >= $1::timestamptz ORDER BY 1`

// Where vGPUs' hours were kept for shorter than they are now, those of pGPUs alone would make less than what stands there.
const MARK_DAYS = `
INSERT INTO utilisation_mark (cloud_id, day)
SELECT DISTINCT h.cloud_id, (p.begin AT TIME ZONE 'UTC')::date FROM utilisation_hour p JOIN host h ON h.id = p.host_id
WHERE p.begin >= $1::timestamptz AND p.begin >= (SELECT min(begin) FROM utilisation_vgpu_hour)`

/**
 * Makes what is summed of utilisation anew: pages of hosts from the minutes that are kept (`minutesSince`), then the figures of
 * groups as far as hours of pGPUs and vGPUs and changes all are (`groupsSince`). What is older stays.
 */
export const rebuildPages = async (
  database: Database,
  { minutesSince, groupsSince }: { minutesSince: Date; groupsSince: Date },
): Promise<void> => {
  const hosts = await database.query(MEASURED, [minutesSince], uncheckedRow<{ hostId: number }>())
  for (const { hostId } of hosts) await refoldHost(database, { hostId, minutesSince })
  await database.query(MARK_DAYS, [groupsSince])
  for (const { id } of await database.query(
    'SELECT id FROM cloud ORDER BY id',
    [],
    uncheckedRow<{ id: number }>(),
  ))
    while (!(await rollUpUsage(database, id)));
}
