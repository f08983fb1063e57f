import type { Database } from '../../database/database'

/** Reviews refuse TRUNCATE too, but are below the clouds. */
const LET_REVIEWS_GO = 'ALTER TABLE review DISABLE TRIGGER review_not_truncated'
const EMPTY =
  'TRUNCATE cloud, host, agent_credential, join_token, vgpu_type, vgpu_type_set, pgpu_change, guest_change, pgpu_point, guest_owner, held_vgpus, history_address, host_watch RESTART IDENTITY CASCADE'

/** Truncates all tables but the audit, which refuses it. Cheaper than a database for each test. */
export const emptyDatabase = async (database: Database): Promise<void> => {
  await database.query(LET_REVIEWS_GO)
  await database.query(EMPTY)
}
