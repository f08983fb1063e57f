import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Logger } from '@/lib/server/context/log'
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

const RELEASE = 'DELETE FROM lease WHERE name = $1 AND holder = $2'

/** A piece of background work that one console at a time does. */
export type Lease = {
  /** Takes or renews it; false: another process has it. */
  hold: () => Promise<boolean>
  /** Gives it back at a graceful stop, so that the others need not wait until it runs out. */
  release: () => Promise<void>
}

export const createLease = ({
  database: { query },
  log,
  name,
  forMs,
}: {
  database: { query: Query }
  log: Pick<Logger, 'info' | 'warn'>
  name: string
  forMs: number
}): Lease => {
  const holder = randomUUID()
  let isHeld = false
  return {
    hold: async () => {
      const isOurs = (await query(HOLD, [name, holder, forMs])).length > 0
      if (isOurs && !isHeld) log.info({ lease: name }, 'Lease acquired')
      if (!isOurs && isHeld) log.warn({ lease: name }, 'Lease lost to another console')
      isHeld = isOurs
      return isOurs
    },
    release: async () => {
      await query(RELEASE, [name, holder])
      if (isHeld) log.info({ lease: name }, 'Lease released')
      isHeld = false
    },
  }
}
