import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { known } from '@/lib/domain/pgpu/known'
import { randomClouds } from '@/lib/domain/testing/random-cloud'
import { couldLand } from './could-land'
import { countDevices, countProblem, unusedDevices } from './count-devices'
import { readFlavorRequest } from './flavor-request'
import { hostProblem, slotNeeds } from './host-problem'
import { reachingRequests } from './reaching-requests'
import { servedBy } from './served-by'
import { servingHosts } from './serving-hosts'

/** A host whose cards give one vGPU each, independent of Placement. */
const withOneVgpu = (joined: JoinedHost): JoinedHost => ({
  ...joined,
  pgpus: joined.pgpus.map(({ pgpu, ...entry }) => ({
    ...entry,
    pgpu: { ...pgpu, numbers: { ...pgpu.numbers, capacity: known(1) } },
  })),
})

it('hosts in one group have the same counts as each host alone, in use or not', () => {
  fc.assert(
    fc.property(randomClouds, ({ fleet, flavors }) => {
      for (const request of flavors.map(readFlavorRequest))
        for (const devices of fleet.hosts.flatMap((joined) => [
          joined,
          ...[joined, withOneVgpu(joined)].map(unusedDevices),
        ])) {
          const needs = slotNeeds(request)
          const isIsolated = request.groupPolicy === 'isolate'
          const alone = hostProblem({
            joined: devices,
            needs,
            headroom: Number.POSITIVE_INFINITY,
            isIsolated,
          })
          expect(countDevices(fleet, devices, request)).toEqual(countProblem(alone))
        }
    }),
    { numRuns: 30 },
  )
})

it('a host that a request does not concern takes nothing of it, in use or empty', () => {
  fc.assert(
    fc.property(randomClouds, ({ fleet, flavors }) => {
      for (const request of flavors.map(readFlavorRequest))
        for (const isEmptied of [false, true]) {
          const serving = new Set(servingHosts(fleet, request, { isEmptied }))
          const others = fleet.hosts.filter((joined) => !serving.has(joined))
          const takes = others.map((joined) =>
            isEmptied
              ? couldLand(fleet, joined, request)
              : countDevices(fleet, joined, request).byPlacement.count > 0,
          )
          expect(takes).toEqual(others.map(() => false))
        }
    }),
    { numRuns: 30 },
  )
})

it('equal providers are reached by the same requests as each provider alone', () => {
  fc.assert(
    fc.property(randomClouds, ({ fleet, flavors }) => {
      for (const { pgpus, root } of fleet.hosts)
        for (const { providers } of pgpus) {
          const amounts = flavors.flatMap(
            (flavor) =>
              providers
                .map((entry) => servedBy(readFlavorRequest(flavor), entry, root.value))
                .find((match) => match !== null)?.amount ?? [],
          )
          const found = reachingRequests(flavors, providers, root.value)
          expect(new Set(found.map(({ amount }) => amount))).toEqual(new Set(amounts))
        }
    }),
    { numRuns: 30 },
  )
})
