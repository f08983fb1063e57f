import 'server-only'
import * as z from 'zod'
import type { Reading, Sample } from '@/lib/domain/utilization/sample'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import type { Query } from '@/lib/server/database/database'
import { bytesColumn } from '@/lib/server/database/row'
import { squeeze, unsqueeze } from './page-rows'

/** The column `samples`: each sample with its readings as tuples. */
const storedSamples = z.array(
  z.tuple([
    z.number(),
    z.array(
      z.tuple([
        /* address */ z.string(),
        /* vgpu */ z.string().nullable(),
        /* guest */ z.string().nullable(),
        /* utilization */ z.number().nullable(),
        /* usedMib */ z.number().nullable(),
        /* totalMib */ z.number().nullable(),
      ]),
    ),
  ]),
)
/** Takes a tenth of the time of the schema: a fold reads millions of values. */
const isUsual = compileCheck(storedSamples)
type StoredSamples = z.infer<typeof storedSamples>
type StoredReading = StoredSamples[number][1][number]

const encode = (samples: readonly Sample[]): string => {
  const rows = samples.map(({ at, readings }) => [
    at,
    readings.map(
      ({ address, vgpu, guest, utilization, usedMib, totalMib }): StoredReading => [
        address,
        vgpu,
        guest,
        utilization,
        usedMib,
        totalMib,
      ],
    ),
  ])
  return squeeze(Buffer.from(JSON.stringify(rows)))
}

/** Reads what `addArrival` wrote. */
export const decodeArrival = (stored: Uint8Array): Sample[] => {
  const value: unknown = JSON.parse(Buffer.from(unsqueeze(stored)).toString('utf8'))
  const rows = isUsual(value) ? value : storedSamples.parse(value)
  return rows.map(([at, readings]) => ({
    at,
    readings: readings.map(([address, vgpu, guest, utilization, usedMib, totalMib]) => ({
      address,
      vgpu,
      guest,
      utilization,
      usedMib,
      totalMib,
    })),
  }))
}

/** The values of a pGPU in a host's last sample; null: nvidia-smi did not report the value. */
export type LastReading = Pick<Reading, 'address' | 'utilization' | 'usedMib'>

/** An element of the column `last_readings`. Earlier releases share the column, so the member keeps its name. */
const storedLastReading = z.object({
  address: z.string(),
  utilisation: z.number().nullable(),
  usedMib: z.number().nullable(),
})

const lastReading = storedLastReading.transform(
  ({ address, utilisation, usedMib }): LastReading => ({ address, utilization: utilisation, usedMib }),
)

const lastReadings = ({ readings }: Sample): z.infer<typeof storedLastReading>[] =>
  readings
    .filter(({ vgpu }) => vgpu === null)
    .map(({ address, utilization, usedMib }) => ({ address, utilisation: utilization, usedMib }))

// SQL: samples are stored as bytes, and the last reading of each host is found with DISTINCT ON.
const ADD = `
INSERT INTO utilisation_arrival (host_id, last_at, samples, last_readings)
VALUES ($1, $2::timestamptz, decode($3, 'hex'), $4::jsonb)`

const LOAD = `
SELECT samples FROM utilisation_arrival WHERE host_id = $1 AND last_at >= $2::timestamptz ORDER BY id`

const samplesRow = z.object({ samples: bytesColumn })

/** Keeps samples of a host as they came; at least one. */
export const addArrival = async (query: Query, hostId: number, samples: readonly Sample[]): Promise<void> => {
  const last = samples.reduce((newest, sample) => (sample.at < newest.at ? newest : sample))
  await query(ADD, [hostId, new Date(last.at), encode(samples), JSON.stringify(lastReadings(last))])
}

/** Samples of a host that are in no page yet, from `since` on. */
export const loadArrivals = async (query: Query, hostId: number, since: Date): Promise<Sample[]> => {
  const rows = await query(LOAD, [hostId, since], samplesRow)
  return rows.flatMap(({ samples }) => decodeArrival(samples))
}

const LAST = `
SELECT DISTINCT ON (a.host_id) a.host_id AS "hostId", a.last_readings AS readings
FROM utilisation_arrival a JOIN current_host h ON h.id = a.host_id
WHERE h.cloud_id = $1 AND a.last_at >= $2::timestamptz ORDER BY a.host_id, a.last_at DESC, a.id DESC`

const lastRow = z.object({ hostId: z.int(), readings: z.array(lastReading).nullable() })

/** The last sample of each host of a cloud by the host's id, where it is not from before `since`. */
export const loadLastReadings = async (
  query: Query,
  { cloudId, since }: { cloudId: number; since: Date },
): Promise<Map<number, LastReading[]>> => {
  const rows = await query(LAST, [cloudId, since], lastRow)
  return new Map(rows.map(({ hostId, readings }) => [hostId, readings ?? []]))
}
