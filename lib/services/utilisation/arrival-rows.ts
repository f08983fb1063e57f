import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Reading, Sample } from '@/lib/domain/utilisation/sample'
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

/** What a host's last sample says of a pGPU; null: nvidia-smi did not tell it. */
export type LastReading = Pick<Reading, 'address' | 'utilisation' | 'usedMib'>

const lastReadings = ({ readings }: Sample): LastReading[] =>
  readings
    .filter(({ vgpu }) => vgpu === null)
    .map(({ address, utilisation, usedMib }) => ({ address, utilisation, usedMib }))

const ADD = `
INSERT INTO utilisation_arrival (host_id, last_at, samples, last_readings)
VALUES ($1, $2::timestamptz, decode($3, 'hex'), $4::jsonb)`

const LOAD = `
SELECT samples FROM utilisation_arrival WHERE host_id = $1 AND last_at >= $2::timestamptz ORDER BY id`

/** Keeps samples of a host as they came; at least one. */
export const addArrival = async (query: Query, hostId: number, samples: readonly Sample[]): Promise<void> => {
  const last = samples.reduce((newest, sample) => (sample.at < newest.at ? newest : sample))
  await query(ADD, [hostId, new Date(last.at), encode(samples), JSON.stringify(lastReadings(last))])
}

/** What came of a host and is in no page yet, from `since` on. */
export const loadArrivals = async (query: Query, hostId: number, since: Date): Promise<Sample[]> => {
  const rows = await query(LOAD, [hostId, since], uncheckedRow<{ samples: Uint8Array }>())
  return rows.flatMap(({ samples }) => decodeArrival(samples))
}

const LAST = `
SELECT DISTINCT ON (a.host_id) a.host_id AS "hostId", a.last_readings AS readings
FROM utilisation_arrival a JOIN current_host h ON h.id = a.host_id
WHERE h.cloud_id = $1 AND a.last_at >= $2::timestamptz ORDER BY a.host_id, a.last_at DESC, a.id DESC`

/** The last sample of each host of a cloud by the host's id, where it is not from before `since`. */
export const loadLastReadings = async (
  query: Query,
  { cloudId, since }: { cloudId: number; since: Date },
): Promise<Map<number, LastReading[]>> => {
  const rows = await query(
    LAST,
    [cloudId, since],
    uncheckedRow<{ hostId: number; readings: LastReading[] | null }>(),
  )
  return new Map(rows.map(({ hostId, readings }) => [hostId, readings ?? []]))
}
