import type { Database } from '@/lib/server/database/database'
import { addGuestChange, addPgpuChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { addCloud, writeHost } from '@/lib/services/testing/fleet-rows'
import { writeReviewEvents } from './review-events'

const DAY = 86_400_000

const BEGIN = new Date('2026-10-20T00:00:00Z')

const WORD = `
INSERT INTO pgpu_cloud_change (host_id, address, at, stranded, stranded_because, service_state, aggregates)
VALUES ($1, $2, $3, $4, $5, 'up', '{gpu}')`

const WATCHED = `
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until) VALUES ($1, 1, 1, $2, $3, $4)`
const SET_WATCHED = 'UPDATE host SET watched_since = $2, watched_at = $3 WHERE id = $1'

const A40_4Q = { typeId: 'nvidia-222', typeName: 'A40-4Q', model: 'NVIDIA A40', capacity: 12 }
const A40_8Q = { typeId: 'nvidia-223', typeName: 'A40-8Q', model: 'NVIDIA A40', capacity: 6 }
const A40_24Q = { typeId: 'nvidia-224', typeName: 'A40-24Q', model: 'NVIDIA A40', capacity: 2 }
const T4_16C = { typeId: 'nvidia-225', typeName: 'T4-16C', model: 'Tesla T4', capacity: 1 }

/** What servers of each project hold; others of the flavor hold another type, after the period. */
const FLAVORS: Readonly<Record<string, readonly [flavorName: string, typeId: string]>> = {
  p2: ['vgpu.large', 'nvidia-222'],
  p3: ['vgpu.large', 'nvidia-224'],
}

type Card = typeof A40_4Q & { used: number; orphan?: number }

export type ReviewWorld = {
  cloudId: number
  /** Three days of December, in which nearly everything is other than it was. */
  goOn: () => Promise<void>
  rollUpTo: (horizon: Date) => Promise<void>
}

/**
 * A cloud from 20 October 2026 to 1 December, as the ingest and the reading rounds leave it. cmp-1 gets fuller day by
 * day. On cmp-2 one type is used up and a card of another unused, and it has no data for nine hours of 17 November. cmp-3
 * is silent from 28 November on.
 */
export const writeReviewWorld = async (database: Database, cloud: string): Promise<ReviewWorld> => {
  const { query } = database
  const cloudId = await addCloud(database, cloud)
  const [first, second] = ['0000:61:00.0', '0000:62:00.0']
  let sequence = 0
  const addHost = async (name: string, addresses: string[]): Promise<number> => {
    const pgpus = addresses.map((address) => ({ address }))
    const id = await writeHost(database, { cloudId, name, pgpus })
    await database.prisma.pgpuCloud.create({
      data: { hostId: id, address: first, aggregates: ['gpu'] },
    })
    return id
  }
  const hosts = {
    one: await addHost('cmp-1', [first, second]),
    two: await addHost('cmp-2', [first, second]),
    three: await addHost('cmp-3', [first]),
  }
  const set = async (host: number, address: string, at: Date, card: Card): Promise<void> => {
    const { typeId, typeName, model, capacity, used, orphan = 0 } = card
    sequence += 1
    const point = { address, typeId, typeName, model, capacity, used, spare: 0, orphan }
    await addPgpuChange(query, { hostId: host, sequence, at, ...point })
  }
  const hold = async (project: string, name: string, at: Date, vgpus: number): Promise<void> => {
    const addresses = Array.from({ length: vgpus }, () => 'a')
    const [flavorName, typeId] = FLAVORS[project] ?? ['vgpu.small', 'a']
    const owner = { flavorName, projectId: project, projectName: name }
    const typeIds = addresses.map(() => typeId)
    sequence += 1
    const held = { guest: `of-${project}`, ...owner, addresses, typeIds }
    await addGuestChange(query, { hostId: hosts.one, sequence, at, ...held })
  }
  for (const name of ['of-p1', 'of-p2'])
    await database.prisma.guest.create({
      data: { hostId: hosts.one, uuid: guestUuid(name), name },
    })

  await set(hosts.one, second, BEGIN, { ...A40_4Q, used: 0, orphan: 2 })
  await set(hosts.two, first, BEGIN, { ...A40_8Q, used: 0 })
  await set(hosts.two, second, BEGIN, { ...A40_24Q, used: 2 })
  await set(hosts.three, first, BEGIN, { ...T4_16C, used: 0 })
  for (let day = 0; day < 42; day += 1) {
    const at = new Date(BEGIN.getTime() + day * DAY)
    const used = Math.min(12, 1 + Math.floor(day / 4))
    await set(hosts.one, first, at, { ...A40_4Q, used })
    await hold('p1', 'Alpha', at, used)
    await hold('p2', 'Beta', at, day < 20 ? 3 : 1)
  }
  await query(WORD, [hosts.one, first, new Date('2026-11-10T00:00:00Z'), 3, 'no flavor asks for them'])
  await query(WATCHED, [hosts.two, ++sequence, BEGIN, new Date('2026-11-17T08:00:00Z')])
  await query(SET_WATCHED, [hosts.one, BEGIN, new Date('2026-12-01T01:00:00Z')])
  await query(SET_WATCHED, [hosts.two, new Date('2026-11-17T17:00:00Z'), new Date('2026-12-01T01:00:00Z')])
  await query(SET_WATCHED, [hosts.three, BEGIN, new Date('2026-11-28T00:00:00Z')])
  await writeReviewEvents(database, { cloudId, cloud })

  const goOn = async (): Promise<void> => {
    const at = new Date('2026-12-02T00:00:00Z')
    await set(hosts.one, first, at, { ...A40_8Q, typeName: 'A40-8Q renamed', used: 1 })
    await set(hosts.two, second, at, { ...A40_24Q, typeName: 'A40-24Q renamed', used: 0 })
    await query(WORD, [hosts.one, first, at, 9, 'the host has no CPU, memory or disk left beside them'])
    await hold('p1', 'Alpha renamed', at, 1)
    await hold('p3', 'Gamma', at, 8)
    const until = new Date('2026-12-04T00:00:00Z')
    await query('UPDATE host SET watched_at = $2 WHERE cloud_id = $1', [cloudId, until])
    await query('UPDATE host SET watched_since = $2 WHERE id = $1', [hosts.three, at])
    await query(WATCHED, [hosts.three, ++sequence, BEGIN, new Date('2026-11-28T00:00:00Z')])
  }
  const rollUpTo = async (horizon: Date): Promise<void> => {
    const since = new Date('2026-01-01T00:00:00Z')
    const terms = { cloudId, horizon, hoursSince: since, changesSince: since }
    await rollUpCloud(database, terms)
  }
  return { cloudId, goOn, rollUpTo }
}
