import 'server-only'
import * as z from 'zod'
import type { Database } from '@/lib/server/database/database'
import { listCloudIds } from '@/lib/services/cloud/list-cloud-ids'
import { refoldHost } from './fold-samples'
import { rollUpUsage } from './roll-up-groups'

// SQL: DISTINCT over the partitions of minutes, and days of all hosts marked in one statement.
const MEASURED = `
SELECT DISTINCT host_id AS "hostId" FROM utilisation_minute WHERE begin >= $1::timestamptz ORDER BY 1`
const measuredRow = z.object({ hostId: z.int() })

// If the hours of vGPUs were kept for a shorter time than now, a rebuild from pGPUs alone would lose stored figures.
const MARK_DAYS = `
INSERT INTO utilisation_mark (cloud_id, day)
SELECT DISTINCT h.cloud_id, (p.begin AT TIME ZONE 'UTC')::date FROM utilisation_hour p JOIN host h ON h.id = p.host_id
WHERE p.begin >= $1::timestamptz AND p.begin >= (SELECT min(begin) FROM utilisation_vgpu_hour)`

/**
 * Rebuilds the sums of utilization: pages of hosts from the minutes that are kept (`minutesSince`), then the figures of
 * groups where hours of pGPUs and vGPUs and changes are all kept (`groupsSince`). Older ones stay.
 */
export const rebuildPages = async (
  database: Database,
  { minutesSince, groupsSince }: { minutesSince: Date; groupsSince: Date },
): Promise<void> => {
  const hosts = await database.query(MEASURED, [minutesSince], measuredRow)
  for (const { hostId } of hosts) await refoldHost(database, { hostId, minutesSince })
  await database.query(MARK_DAYS, [groupsSince])
  for (const id of await listCloudIds(database)) while (!(await rollUpUsage(database, id)));
}
