// Used in SQL: statements over partitions are made from these.
/** A history that is partitioned by month, and how the last row of each subject is carried out of a month that goes. */
export type HistoryTable = {
  name: string
  /** The columns that identify its subjects. */
  subject: string
  /** Of rows at the same time the last one is valid. */
  position: string
  rest: string
  /** Rows that say that there is nothing are not carried. */
  isPresent: string
}

export const HISTORY_TABLES: readonly HistoryTable[] = [
  {
    name: 'pgpu_change',
    subject: 'host_id, address_id',
    position: 'enrolment, boot, sequence',
    rest: 'point_id',
    isPresent: 'EXISTS (SELECT 1 FROM pgpu_point p WHERE p.id = point_id AND p.framework IS NOT NULL)',
  },
  {
    name: 'guest_change',
    subject: 'host_id, uuid',
    position: 'enrolment, boot, sequence',
    rest: 'name, owner_id, held_id',
    isPresent: 'EXISTS (SELECT 1 FROM held_vgpus v WHERE v.id = held_id AND cardinality(v.addresses) > 0)',
  },
  {
    name: 'pgpu_cloud_change',
    subject: 'host_id, address',
    position: '',
    rest: 'advertised, advertised_used, stranded, service_state, aggregates, stranded_because',
    isPresent: 'service_state IS NOT NULL',
  },
  {
    name: 'limit_change',
    subject: 'cloud_id, region, resource_name, project_id',
    position: '',
    rest: 'value',
    isPresent: 'value IS NOT NULL',
  },
]
