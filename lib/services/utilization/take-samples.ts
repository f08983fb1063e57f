import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { Reading, Sample } from '@/lib/domain/utilization/sample'
import { correctSamples } from '@/lib/domain/utilization/sample'
import type { Samples, SamplesReceipt } from '@/lib/schemas/agent/samples'
import type { Database } from '@/lib/server/database/database'
import type { AgentActor } from '@/lib/services/report/group-member'
import { holdCredential } from '@/lib/services/report/hold-credential'
import { addArrival } from './arrival-rows'

type Numbers = Pick<Samples['gpus'][number], 'totalMib' | 'utilisation' | 'usedMib'>

const numbersOf = ({ utilisation, usedMib, totalMib }: Numbers, index: number) => ({
  utilization: utilisation[index] ?? null,
  usedMib: usedMib[index] ?? null,
  totalMib,
})

const samplesOf = ({ begin, at, gpus }: Samples): Sample[] =>
  at.map((seconds, index) => ({
    at: Date.parse(begin) + seconds * 1000,
    readings: gpus
      .flatMap(({ address, vgpus, ...gpu }): Reading[] => [
        { address, vgpu: null, guest: null, ...numbersOf(gpu, index) },
        ...vgpus.map(({ vgpu, guestUuid, ...numbers }) => ({
          address,
          vgpu,
          guest: guestUuid,
          ...numbersOf(numbers, index),
        })),
      ])
      // What came or went between two samples has nothing to tell of the others.
      .filter(({ utilization, usedMib }) => utilization !== null || usedMib !== null),
  }))

type Received = { samples: Samples; sentAt: Date | null; receivedAt: Date }

/**
 * Stores the samples that an agent sends for its host, by our clock. Resolves when they are committed; a second delivery
 * changes nothing in the history. Samples older than the retention of minutes are ignored, because it is unknown whether
 * they were stored before.
 */
export const takeSamples = (
  { database, keepMinutesDays }: { database: Database; keepMinutesDays: number },
  { actor, samples, sentAt, receivedAt }: Received & { actor: AgentActor },
): Promise<SamplesReceipt> =>
  database.transaction(async ({ query }) => {
    await holdCredential(query, actor)
    const since = receivedAt.getTime() - keepMinutesDays * DAY_MS
    const terms = { sentAt: sentAt?.getTime() ?? null, receivedAt: receivedAt.getTime() }
    const taken = correctSamples(samplesOf(samples), terms).filter(({ at }) => at >= since)
    if (taken.length > 0) await addArrival(query, actor.hostId, taken)
    return { taken: taken.length, ignored: samples.at.length - taken.length }
  })
