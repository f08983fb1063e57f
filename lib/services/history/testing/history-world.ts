import type { Database } from '@/lib/server/database/database'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { addGuestChange, addPgpuChange, guestUuid } from './add-changes'

const MINUTE = 60_000
const BEGIN = new Date('2026-11-20T09:00:00Z')
/** Hosts change in turn, one each so many minutes. */
const PACE = 13 * MINUTE
const TYPES = ['nvidia-222', 'nvidia-223']

const GUEST = {
  guest: 'guest',
  name: 'instance-1',
  flavorName: 'vgpu.small',
  projectId: 'p1',
  projectName: 'Alpha',
}
const CARD = { model: 'NVIDIA A40', capacity: 12, orphan: 0 }

const CLOUD = `
INSERT INTO pgpu_cloud_change (host_id, address, at, stranded, service_state, aggregates)
VALUES ($1, $2, $3, $4, 'up', '{gpu}')`

const ENDED = `
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until)
SELECT id, 1, 1, $2, watched_since, watched_at FROM host WHERE id = $1`
const SET_WATCHED = 'UPDATE host SET watched_since = $2, watched_at = $3 WHERE id = $1'

export type HistoryWorld = {
  cloudId: number
  hostIds: readonly number[]
  /** Continues the history to `until`: three hosts, of which the second is silent from time to time. */
  append: (until: Date) => Promise<void>
  /** The third host's agent delivers what it had kept: a change at `from`, and that it watched until `until`. */
  appendLate: (from: Date, until: Date) => Promise<void>
}

/** A history of three hosts with two pGPUs each, as the ingest and the reading rounds leave it. */
export const writeHistoryWorld = async (
  database: Database,
  cloud: { id: number; name: string },
): Promise<HistoryWorld> => {
  const { query } = database
  const addresses = ['0000:61:00.0', '0000:62:00.0']
  const hostIds: number[] = []
  for (const name of ['cmp-1', 'cmp-2', 'cmp-3'])
    hostIds.push(
      await writeHost(database, {
        cloudId: cloud.id,
        name,
        pgpus: addresses.map((address) => ({ address })),
      }),
    )
  let clock = BEGIN.getTime()
  let sequence = 0
  // The current state that belongs to the history.
  for (const id of hostIds) {
    await database.prisma.guest.create({
      data: { hostId: id, uuid: guestUuid(GUEST.guest), name: 'instance-1' },
    })
    for (const address of addresses)
      await database.prisma.pgpuCloud.create({ data: { hostId: id, address, aggregates: ['gpu'] } })
  }

  const change = async (hostId: number, when: Date): Promise<void> => {
    sequence += 1
    const type = TYPES[sequence % 7 === 0 ? 1 : 0] ?? ''
    const [address, used] = [addresses[sequence % 2] ?? '', (sequence * 5) % 11]
    const point = { ...CARD, address, typeId: type, typeName: type.toUpperCase(), used, spare: sequence % 2 }
    await addPgpuChange(query, { ...point, hostId, sequence, at: when })
    const held = Array.from({ length: sequence % 4 }, () => 'a')
    if (sequence % 3 === 0)
      await addGuestChange(query, { ...GUEST, hostId, sequence, at: when, addresses: held, typeIds: held })
    if (sequence % 4 === 0) await query(CLOUD, [hostId, address, when, sequence % 3])
  }
  const watch = async (hostId: number, since: Date): Promise<void> => {
    await query(SET_WATCHED, [hostId, since, since])
  }
  const hear = async (hostId: number, when: Date): Promise<void> => {
    await query('UPDATE host SET watched_at = $2 WHERE id = $1', [hostId, when])
  }
  for (const id of hostIds) await watch(id, BEGIN)

  const append = async (until: Date): Promise<void> => {
    for (; clock < until.getTime(); clock += PACE) {
      const turn = Math.round((clock - BEGIN.getTime()) / PACE)
      const when = new Date(clock)
      const [first = 0, second = 0, third = 0] = hostIds
      await change([first, second, third][turn % 3] ?? 0, when)
      await hear(first, when)
      // Silent in every fourth quarter of its turns; then a new stretch begins.
      if (turn % 40 === 39) {
        await query(ENDED, [second, ++sequence])
        await watch(second, when)
      } else if (turn % 40 < 30) await hear(second, when)
      if (clock < BEGIN.getTime() + 10 * 60 * MINUTE) await hear(third, when)
    }
  }
  const appendLate = async (from: Date, until: Date): Promise<void> => {
    const third = hostIds[2] ?? 0
    await change(third, from)
    await hear(third, until)
  }
  return { cloudId: cloud.id, hostIds, append, appendLate }
}
