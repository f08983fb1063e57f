import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editGpuProviders, editList, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { randomClouds } from '@/lib/domain/testing/random-cloud'
import { couldLand } from './could-land'
import { flavorQuestion } from './explain-fit'
import { nearestMiss } from './nearest-miss'
import { summarizeFit } from './summarize-fit'
import { explainFit, judgeFit } from './testing/fit-at-once'

const T4 = buildFlavor({
  name: 't4',
  extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' },
})
const plan = { cards: [{ kind: 'T4' as const, used: 2, spare: 1 }], hasDomain: false }

describe('the nearest miss', () => {
  it('is null where a server fits', () => {
    expect(nearestMiss(joinFleet(t4Cloud()), T4)).toBeNull()
  })

  it('is a host with one obstacle before one with two, and that before one whose cards can never serve', () => {
    const full = editGpuProviders(buildHealthyCloud([plan, plan, plan]), (provider, index) => ({
      ...provider,
      traits: index === 1 ? [] : provider.traits,
      inventories: { VGPU: inventoryOf(4, 4) },
    }))
    const down = editList(full, 'services', (service) =>
      service.host === 'cmp-2' ? { ...service, state: 'down' } : service,
    )
    expect(nearestMiss(joinFleet(down), T4)).toMatchObject({ host: 'cmp-3', kind: 'full' })
  })

  it('is a host without an agent before a blocked one, since servers may fit there', () => {
    const cloud = editGpuProviders(buildHealthyCloud([plan, plan]), (provider, index) => ({
      ...provider,
      inventories: { VGPU: inventoryOf(4, index === 1 ? 4 : 0) },
    }))
    const fleet = joinFleet({ ...cloud, hosts: cloud.hosts.slice(0, 1) })
    expect(fleet.unseen).toHaveLength(1)
    expect(nearestMiss(fleet, T4)).toEqual({
      host: 'cmp-2',
      kind: 'unknown',
      because: 'no agent reports from it',
    })
  })
})

it('is the first of all hosts with all their reasons, and the sums are those of the hosts', () => {
  fc.assert(
    fc.property(randomClouds, ({ fleet, flavors }) => {
      for (const flavor of flavors) {
        const question = flavorQuestion(flavor)
        const { hosts, ...sums } = judgeFit(explainFit(fleet, question), { state: 'away' })
        const [first] = hosts
        const [reason] = first?.reasons ?? []
        const expected = first === undefined || reason === undefined ? null : { host: first.host, ...reason }
        expect(nearestMiss(fleet, flavor)).toEqual(expected)
        const possible = fleet.hosts.map((joined) => couldLand(fleet, joined, question.request))
        expect(summarizeFit(fleet, flavor)).toEqual({
          ...sums,
          possibleHosts: possible.includes(null) ? null : possible.filter((can) => can === true).length,
        })
      }
    }),
    { numRuns: 30 },
  )
})
