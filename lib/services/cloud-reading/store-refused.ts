import 'server-only'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { refusedServer } from '@/lib/domain/demand/refused-server'
import type { ReadingRound } from '@/lib/openstack/reading/types'
import type { Query } from '@/lib/server/database/database'

// SQL: a bulk insert.
/** What is there already stays as it was seen first. */
const STORE = `
INSERT INTO refused_server (cloud_id, uuid, at, project_id, project_name, flavor_name, reason, said)
SELECT $1, r.uuid, r.at, r.project_id, r.project_name, r.flavor_name, r.reason, r.said
FROM unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
  AS r (uuid, at, project_id, project_name, flavor_name, reason, said)
ON CONFLICT DO NOTHING`

/** Keeps who was refused a GPU: Nova forgets it with the server. */
export const storeRefused = async (
  query: Query,
  {
    cloudId,
    round,
  }: { cloudId: number; round: Pick<ReadingRound, 'unplaced'> & { facts: Pick<CloudFacts, 'projects'> } },
): Promise<void> => {
  const { unplaced, facts } = round
  const refused = unplaced.map(refusedServer).filter((server) => server !== null)
  if (refused.length === 0) return
  const names = new Map((facts.projects.value ?? []).map(({ id, name }) => [id, name]))
  await query(STORE, [
    cloudId,
    refused.map(({ uuid }) => uuid),
    refused.map(({ at }) => at),
    refused.map(({ projectId }) => projectId),
    refused.map(({ projectId }) => names.get(projectId) ?? null),
    refused.map(({ flavorName }) => flavorName),
    refused.map(({ reason }) => reason),
    refused.map(({ said }) => said),
  ])
}
