import type { Database } from '@/lib/server/database/database'

/** Card models of the generated fleet: vGPU type, framework, capacity, framebuffer, first PCI bus. */
const MODELS = [
  ['NVIDIA Tesla T4', 'GRID T4-1Q', 'nvidia-222', 'mdev', 16, 1024],
  ['NVIDIA Tesla T4', 'GRID T4-4C', 'nvidia-319', 'mdev', 4, 4096],
  ['NVIDIA Tesla T4', 'GRID T4-16C', 'nvidia-321', 'mdev', 1, 16_384],
  ['NVIDIA A40', 'NVIDIA A40-4Q', 'nvidia-560', 'mdev-sriov', 12, 4096],
  ['NVIDIA A40', 'NVIDIA A40-8Q', 'nvidia-562', 'mdev-sriov', 6, 8192],
  ['NVIDIA A100 80GB', 'GRID A100D-10C', 'nvidia-702', 'mdev-sriov', 8, 10_240],
  ['NVIDIA L40S', 'NVIDIA L40S-16Q', 'nvidia-1157', 'vendor-vfio', 3, 16_384],
  ['NVIDIA L40S', 'NVIDIA L40S-2B', 'nvidia-1147', 'vendor-vfio', 24, 2048],
] as const

const MODEL_ROWS = MODELS.map(
  ([model, name, typeId, framework, capacity, framebuffer], index) =>
    `(${index}, '${model}', '${name}', '${typeId}', '${framework}', ${capacity}, ${framebuffer})`,
).join(', ')

/** Equal in every run: numbers come from a hash of host and card, not from random(). */
const SEED = `
CREATE TEMP TABLE seed_model ON COMMIT DROP AS
  SELECT * FROM (VALUES ${MODEL_ROWS}) AS m (place, model, type_name, type_id, framework, capacity, framebuffer);
INSERT INTO vgpu_type (hash, type_id, name, description, device_api)
  SELECT 'bench ' || place, type_id, type_name, 'num_heads=4, frl_config=60, framebuffer=' || framebuffer
    || 'M, max_resolution=7680x4320, max_instance=' || capacity, 'vfio-pci' FROM seed_model;
INSERT INTO vgpu_type_set (hash, vgpu_type_ids)
  SELECT 'bench ' || model, array_agg(t.id) FROM seed_model m JOIN vgpu_type t ON t.hash = 'bench ' || m.place GROUP BY model;
INSERT INTO host (cloud_id, name, agent_version, driver_version, libvirt_version, gpu_count, guest_count,
    reported_at, seen_at, changed_xid, findings)
  SELECT (SELECT min(id) FROM cloud), 'cmp-r' || lpad((n / 40)::text, 3, '0') || '-' || lpad((n % 40)::text, 2, '0'),
    '0.1.0', '550.54.16', '10.0.0', $CARDS, $CARDS, now(), now(), pg_current_xact_id()::text::bigint,
    CASE WHEN n % 25 = 0 THEN '[{"code":"orphan-mdevs","severity":"warning","pgpuAddress":"0000:18:00.0"}]'
      ELSE '[]' END::jsonb
  FROM generate_series(0, $HOSTS - 1) AS n;
INSERT INTO pgpu (host_id, address, model, framework, numa_node, framebuffer_mib, type_id, type_set_id, capacity, used, spare, orphan, "returning", creatable, finding_code, finding_severity, finding)
  SELECT h.id, '0000:' || lpad(to_hex(24 + 13 * card), 2, '0') || ':00.0', m.model, m.framework,
    card / 4, 49152, t.id, s.id, m.capacity, used, spare, 0, 0, m.capacity - used - spare,
    CASE WHEN h.id % 25 = 0 AND card = 0 THEN 'orphan-mdevs' END,
    CASE WHEN h.id % 25 = 0 AND card = 0 THEN 'warning' END,
    CASE WHEN h.id % 25 = 0 AND card = 0 THEN (1 + h.id % 3) || ' orphaned mdevs keep it on T4-4C' END
  FROM host h
  CROSS JOIN generate_series(0, $CARDS - 1) AS card
  JOIN seed_model m ON m.place = abs(hashint4(h.id / 8)) % ${MODELS.length}
  JOIN vgpu_type t ON t.hash = 'bench ' || m.place
  JOIN vgpu_type_set s ON s.hash = 'bench ' || m.model
  CROSS JOIN LATERAL (SELECT abs(hashint4(h.id * 64 + card)) % (m.capacity + 1) AS used) u
  CROSS JOIN LATERAL (SELECT least((abs(hashint4(h.id + card * 7919)) % 20 = 0)::int, m.capacity - used) AS spare) sp;
`

/** Fills the first cloud with hosts and pGPUs by a few statements (80,000 pGPUs in some seconds). */
export const seedFleet = async (
  database: Database,
  { hostCount, cardsPerHost }: { hostCount: number; cardsPerHost: number },
): Promise<void> => {
  await database.transaction(async ({ query }) => {
    const script = SEED.replaceAll('$HOSTS', String(hostCount)).replaceAll('$CARDS', String(cardsPerHost))
    for (const statement of script.split(';\n')) if (statement.trim() !== '') await query(statement)
  })
  await database.query('ANALYZE')
}

/** Other use on some hosts, marked as the ingest does. */
export const changeHosts = async (
  database: Database,
  { hostCount, turn }: { hostCount: number; turn: number },
) => {
  await database.query(
    `WITH chosen AS (
       SELECT id FROM host ORDER BY abs(hashint4(id + $2 * 104729)) LIMIT $1
     ), cards AS (
       UPDATE pgpu SET used = abs(hashint4(hashtext(pgpu.host_id || pgpu.address) + $2)) % (capacity + 1) FROM chosen
       WHERE pgpu.host_id = chosen.id RETURNING host_id
     )
     UPDATE host SET changed_xid = pg_current_xact_id()::text::bigint
     WHERE id IN (SELECT host_id FROM cards)`,
    [hostCount, turn],
  )
}
