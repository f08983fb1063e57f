import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'

const MAX_CLOCK_DIFFERENCE = '10 minutes'

/** A row's moment: $2, but after the host's earlier rows of that history that are not later by more than clocks differ. */
const momentAfter = (table: string): string => `greatest($2::timestamptz, (
    SELECT max(c.at) + interval '1 millisecond' FROM ${table} c
    WHERE c.host_id = h.id AND c.at < $2::timestamptz + interval '${MAX_CLOCK_DIFFERENCE}'))`

/** A point and a holding without values mean that the GPU or the guest is gone. */
const NO_POINT = `number_point(history_digest(array_fill(NULL::text, ARRAY[10])),
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`
const NO_OWNER = 'number_owner(history_digest(array_fill(NULL::text, ARRAY[3])), NULL, NULL, NULL)'
const NOTHING_HELD = `number_held(history_digest(ARRAY['{}', '{}']), '{}', '{}')`

const HOSTS = (table: string): string => `
  SELECT h.id, h.enrolment, h.boot, h.sequence, ${momentAfter(table)} AS at FROM host h WHERE h.id = ANY($1::int[])`

const END_PGPUS = `
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT h.at, h.id, a.id, n.point, h.enrolment, h.boot, h.sequence
FROM (${HOSTS('pgpu_change')}) h JOIN pgpu p ON p.host_id = h.id JOIN history_address a ON a.address = p.address,
  (SELECT ${NO_POINT} AS point OFFSET 0) n`

const END_GUESTS = `
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT h.at, g.uuid::uuid, h.id, n.owner, n.held, h.enrolment, h.boot, h.sequence, g.name
FROM (${HOSTS('guest_change')}) h JOIN guest_holding g ON g.host_id = h.id,
  (SELECT ${NO_OWNER} AS owner, ${NOTHING_HELD} AS held OFFSET 0) n`

const END_CLOUD = `
INSERT INTO pgpu_cloud_change (host_id, address, at)
SELECT h.id, p.address, h.at FROM (${HOSTS('pgpu_cloud_change')}) h JOIN pgpu_cloud p ON p.host_id = h.id`
const FORGET_CLOUD = 'DELETE FROM pgpu_cloud WHERE host_id = ANY($1::int[])'

/**
 * Ends the histories of hosts: from `at` on they have neither GPUs nor guests. The rows of their last reports stay, so that
 * `resumeHistory` can continue from them.
 */
export const endHistory = async (query: Query, hostIds: readonly number[], at: Date): Promise<void> => {
  for (const sql of [END_PGPUS, END_GUESTS, END_CLOUD]) await query(sql, [pgArray(hostIds), at])
  await query(FORGET_CLOUD, [pgArray(hostIds)])
}

const RESUME_PGPUS = `
INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT h.at, h.id, a.id, last.point_id, h.enrolment, h.boot, h.sequence
FROM (${HOSTS('pgpu_change')}) h JOIN pgpu p ON p.host_id = h.id JOIN history_address a ON a.address = p.address
CROSS JOIN LATERAL (
  SELECT c.point_id FROM pgpu_change c JOIN pgpu_point t ON t.id = c.point_id
  WHERE c.host_id = h.id AND c.address_id = a.id AND t.framework IS NOT NULL
  ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last`

const RESUME_GUESTS = `
INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT h.at, g.uuid::uuid, h.id, last.owner_id, last.held_id, h.enrolment, h.boot, h.sequence, g.name
FROM (${HOSTS('guest_change')}) h JOIN guest_holding g ON g.host_id = h.id
CROSS JOIN LATERAL (
  SELECT c.owner_id, c.held_id FROM guest_change c JOIN held_vgpus v ON v.id = c.held_id
  WHERE c.host_id = h.id AND c.uuid = g.uuid::uuid AND cardinality(v.addresses) > 0
  ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last`

/** Changes are kept for a limited time: what has none left appears again with the host's next report. */
const FORGET_PGPUS = `
DELETE FROM pgpu p WHERE p.host_id = ANY($1::int[]) AND NOT EXISTS (
  SELECT 1 FROM pgpu_change c JOIN pgpu_point t ON t.id = c.point_id JOIN history_address a ON a.id = c.address_id
  WHERE c.host_id = p.host_id AND a.address = p.address AND t.framework IS NOT NULL)`
const FORGET_GUESTS = `
DELETE FROM guest_holding g WHERE g.host_id = ANY($1::int[]) AND NOT EXISTS (
  SELECT 1 FROM guest_change c JOIN held_vgpus v ON v.id = c.held_id
  WHERE c.host_id = g.host_id AND c.uuid = g.uuid::uuid AND cardinality(v.addresses) > 0)`

/** Continues ended histories at `at` with what the hosts reported last. The next reading round adds what the cloud reports. */
export const resumeHistory = async (query: Query, hostIds: readonly number[], at: Date): Promise<void> => {
  for (const sql of [RESUME_PGPUS, RESUME_GUESTS]) await query(sql, [pgArray(hostIds), at])
  for (const sql of [FORGET_PGPUS, FORGET_GUESTS]) await query(sql, [pgArray(hostIds)])
}
