import 'server-only'
import type { Sample } from '@/lib/domain/utilisation/sample'
import type { Query } from '@/lib/server/database/database'
import { squeeze, unsqueeze } from './page-rows'

type Row = [
  address: string,
  vgpu: string | null,
  guest: string | null,
  utilisation: number | null,
  usedMib: number | null,
  totalMib: number | null,
]

const encode = (samples: readonly Sample[]): string => {
  const rows = samples.map(({ at, readings }) => [
    at,
    readings.map(
      ({ address, vgpu, guest, utilisation, usedMib, totalMib }): Row => [
        address,
        vgpu,
        guest,
        utilisation,
        usedMib,
        totalMib,
      ],
    ),
  ])
  return squeeze(Buffer.from(JSON.stringify(rows)))
}

/** Reads what `addArrival` wrote. */
export const decodeArrival = (stored: Uint8Array): Sample[] => {
  const rows: [number, Row[]][] = JSON.parse(Buffer.from(unsqueeze(stored)).toString('utf8'))
  return rows.map(([at, readings]) => ({
    at,
    readings: readings.map(([address, vgpu, guest, utilisation, usedMib, totalMib]) => ({
      address,
      vgpu,
      guest,
      utilisation,
      usedMib,
      totalMib,
    })),
  }))
}

const ADD = `
INSERT INTO utilisation_arrival (host_id, last_at, samples) VALUES ($1, $2::timestamptz, decode($3, 'hex'))`

const LOAD = `
SELECT samples FROM utilisation_arrival WHERE host_id = $1 AND last_at >= $2::timestamptz ORDER BY id`

/** Keeps samples of a host as they came; at least one. */
export const addArrival = async (query: Query, hostId: number, samples: readonly Sample[]): Promise<void> => {
  const last = new Date(Math.max(...samples.map(({ at }) => at)))
  await query(ADD, [hostId, last, encode(samples)])
}

/** What came of a host and is in no page yet, from `since` on. */
export const loadArrivals = async (query: Query, hostId: number, since: Date): Promise<Sample[]> => {
  const rows = await query<{ samples: Uint8Array }>(LOAD, [hostId, since])
  return rows.flatMap(({ samples }) => decodeArrival(samples))
}
