import 'server-only'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import type { Query } from '@/lib/server/database/database'

// SQL: the limits of a round are compared with the newest rows of the history in one statement.
/**
 * Rows that differ from the last ones of the history, and those that were removed. $4: whether limits of projects were
 * read; unread limits do not count as removed. $3: the time of the round; a row comes after the earlier ones of its
 * limit, because the clocks of consoles differ.
 */
const STORE = `
WITH reported AS (
  SELECT region, resource_name, project_id, value FROM jsonb_to_recordset($2::jsonb)
    AS t (region text, resource_name text, project_id text, value int)
), last AS (
  SELECT DISTINCT ON (region, resource_name, project_id) region, resource_name, project_id, at, value
  FROM limit_change WHERE cloud_id = $1 ORDER BY region, resource_name, project_id, at DESC
)
INSERT INTO limit_change (cloud_id, region, resource_name, project_id, at, value)
SELECT $1, region, resource_name, project_id, greatest($3::timestamptz, last.at + interval '1 millisecond'), reported.value
FROM reported FULL JOIN last USING (region, resource_name, project_id)
WHERE reported.value IS DISTINCT FROM last.value AND ($4::boolean OR project_id = '')`

type Row = { region: string; resource_name: string; project_id: string; value: number }

const rowsOf = ({ registered, project, novaServiceId }: LimitFacts): Row[] => {
  const isNova = ({ serviceId }: { serviceId: string }) => serviceId === novaServiceId
  return [
    ...registered.filter(isNova).map(({ regionId, resourceName, defaultLimit }) => ({
      region: regionId ?? '',
      resource_name: resourceName,
      project_id: '',
      value: defaultLimit,
    })),
    ...(project ?? []).filter(isNova).flatMap(({ regionId, resourceName, projectId, resourceLimit }) =>
      projectId === null
        ? []
        : [
            {
              region: regionId ?? '',
              resource_name: resourceName,
              project_id: projectId,
              value: resourceLimit,
            },
          ],
    ),
  ]
}

/** Adds to the history which of Nova's limits a round found changed; limits that could not be read leave it as it is. */
export const storeLimitChanges = async (
  query: Query,
  { cloudId, limits, at }: { cloudId: number; limits: LimitFacts | null; at: Date },
): Promise<void> => {
  // Without Nova's service id, Nova's limits cannot be identified.
  if (limits === null || limits.novaServiceId === null) return
  await query(STORE, [cloudId, JSON.stringify(rowsOf(limits)), at, limits.project !== null])
}
