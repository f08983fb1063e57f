import type { Framework } from '@/lib/schemas/frameworks'
import 'server-only'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import type { Dimension } from '@/lib/schemas/states'
import { pgArray } from '@/lib/server/database/pg-array'

/** What a chart is of: a group of the cloud, or one host, or one pGPU of it. */
export type MarkScope =
  | { by: Exclude<Dimension, 'all'>; key: string }
  | { by: 'host'; key: string; address: string | null }

const FRAMEWORKS: Readonly<Record<Framework, true>> = {
  mdev: true,
  'mdev-sriov': true,
  'vendor-vfio': true,
  passthrough: true,
  none: true,
}

/** Of the cloud $1 and the key $2. Hosts and addresses; a null address means all of the host's. */
const MEMBERS: Readonly<Record<MarkScope['by'], string>> = {
  host: `
SELECT h.name AS host, $3::text AS address FROM current_host c CROSS JOIN LATERAL host_lineage(c.id) l JOIN host h ON h.id = l.id
WHERE c.cloud_id = $1 AND c.name = $2::text`,
  type: `
SELECT h.name AS host, p.address FROM pgpu p JOIN current_host h ON h.id = p.host_id LEFT JOIN vgpu_type t ON t.id = p.type_id
WHERE h.cloud_id = $1 AND (t.type_id = $2::text OR (p.type_id IS NULL AND p.framework = ANY($3::text[])))`,
  model: `
SELECT h.name AS host, p.address FROM pgpu p JOIN current_host h ON h.id = p.host_id
WHERE h.cloud_id = $1 AND p.model = $2::text AND $3::text IS NULL`,
  aggregate: `
SELECT h.name AS host, c.address FROM pgpu_cloud c JOIN current_host h ON h.id = c.host_id
WHERE h.cloud_id = $1 AND $2::text = ANY(c.aggregates) AND $3::text IS NULL`,
  flavor: `
SELECT DISTINCT h.name AS host, unnest(g.addresses) AS address FROM guest_holding g JOIN current_host h ON h.id = g.host_id
WHERE h.cloud_id = $1 AND coalesce(g.flavor_name, '') = $2::text AND $3::text IS NULL`,
  project: `
SELECT DISTINCT h.name AS host, unnest(g.addresses) AS address FROM guest_holding g JOIN current_host h ON h.id = g.host_id
WHERE h.cloud_id = $1 AND coalesce(g.project_id, '') = $2::text AND $3::text IS NULL`,
}

const detailOf = (scope: MarkScope): string | null => {
  if (scope.by === 'host') return scope.address
  if (scope.by !== 'type') return null
  const frameworks = Object.keys(FRAMEWORKS).filter((each) => noTypeLabel(each) === scope.key)
  return pgArray(frameworks)
}

/** The pGPUs that a chart is of now, as rows of `member`. Takes the first three parameters; the first is the cloud's id. */
export const memberQuery = (cloudId: number, scope: MarkScope): { text: string; params: unknown[] } => ({
  text: `member AS MATERIALIZED (${MEMBERS[scope.by]})`,
  params: [cloudId, scope.key, detailOf(scope)],
})

/** Where the plan of a change names a member of the chart, in addition to its pGPUs. */
const NAMED: Readonly<Record<MarkScope['by'], readonly string[]>> = {
  type: ['$.typeChange.capacities[*].typeId', '$.typeChange.toTypeId'],
  model: [],
  aggregate: ['$.flavorChange.aggregate', '$.fence.aggregate'],
  flavor: ['$.flavorChange.flavors[*].name', '$.fence.flavors[*].name', '$.flavors[*].name'],
  project: ['$.limitChange.effects[*].projectId'],
  host: ['$.fence.hosts[*].host'],
}

const isOfMember = (host: string, address: string): string =>
  `EXISTS (SELECT 1 FROM member m WHERE m.host = ${host} AND (m.address IS NULL OR m.address = ${address}))`

/**
 * Whether a change `ch` concerns the chart: its plan names the group, or acts on a pGPU of it. A type change names the
 * types whose capacity it changes, because the card may have had other types since.
 */
export const changeConcerns = ({ by }: MarkScope): string => {
  const named = NAMED[by].map(
    (path) => `jsonb_path_exists(ch.preview, '${path} ? (@ == $key)', jsonb_build_object('key', $2::text))`,
  )
  const acts = `EXISTS (SELECT 1 FROM jsonb_path_query(ch.preview, '$.targets[*]') AS t (target)
    WHERE ${isOfMember("t.target->>'host'", "t.target->>'address'")})`
  const plain = `coalesce(ch.preview->'typeChange', 'null') = 'null'`
  return `(${[...named, by === 'type' ? `(${plain} AND ${acts})` : acts].join(' OR ')})`
}

const SUBJECTS: Readonly<Partial<Record<MarkScope['by'], string>>> = {
  aggregate: `f.body->'subject'->>'kind' = 'aggregate' AND f.body->'subject'->>'name' = $2::text`,
  flavor: `f.body->'subject'->>'kind' = 'flavor' AND f.body->'subject'->>'name' = $2::text`,
  project: `f.body->'subject'->>'kind' = 'limit' AND f.body->'subject'->>'projectId' = $2::text`,
}

/** Whether a finding `f` concerns the chart: its subject is a member or a host with a member, but not another pGPU. */
export const findingConcerns = ({ by }: MarkScope): string => {
  const stands = `EXISTS (SELECT 1 FROM member m WHERE m.host = f.host
    AND (m.address IS NULL OR f.address IS NULL OR m.address = f.address))`
  const subject = SUBJECTS[by]
  return subject === undefined ? stands : `(${stands} OR (${subject}))`
}
