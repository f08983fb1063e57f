import 'server-only'
import type { Query } from '../database/database'

/*
 * The database's clock decides, not ours: several consoles share one database and their clocks differ. The holder renews
 * its own lease at any time; another one takes it over when it has run out.
 */
const HOLD = `
INSERT INTO lease (name, holder, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE lease.holder = excluded.holder OR lease.until <= clock_timestamp()
RETURNING name`

/** Takes or renews a piece of background work; false: another process has it. */
export const holdLease = async (
  query: Query,
  { name, holder, forMs }: { name: string; holder: string; forMs: number },
): Promise<boolean> => (await query(HOLD, [name, holder, forMs])).length > 0

/** Gives work back at a graceful stop, so that nobody waits for it to run out. */
export const releaseLease = async (
  query: Query,
  { name, holder }: { name: string; holder: string },
): Promise<void> => {
  await query('DELETE FROM lease WHERE name = $1 AND holder = $2', [name, holder])
}
