import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fleet, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { Flavor } from '@/lib/domain/cloud/types'
import { canTakeTwo } from '@/lib/domain/fit/can-take-two'
import { couldLand, countWhenEmpty } from '@/lib/domain/fit/could-land'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { editList, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud, healthyPlans } from '@/lib/domain/testing/healthy-cloud'
import { randomClouds } from '@/lib/domain/testing/random-cloud'
import { MOVING } from '../confirm'
import { SUPERSEDED_BY, VGPUS_LOST_CODES } from './codes'
import { CLOUD_FINDINGS, detectCloudFindings } from './registry'

describe('a healthy cloud', { timeout: 120_000 }, () => {
  it('has no finding', () => {
    fc.assert(
      fc.property(healthyPlans, (plans) => {
        // The bug is in Nova: a cloud whose free VFs are all on one host has it, however healthy it is.
        const found = sentences(buildHealthyCloud(plans)).filter(
          (text) => !text.startsWith('multi-create-fails'),
        )
        expect(found).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

it('codes that other files name have a detector', () => {
  for (const code of [...MOVING, ...VGPUS_LOST_CODES, ...SUPERSEDED_BY.values()])
    expect(CLOUD_FINDINGS).toHaveProperty(code)
  for (const code of SUPERSEDED_BY.keys()) expect(HOST_FINDINGS).toHaveProperty(code)
})

/** No compute node is like another one, so that no rule judges two hosts at once. */
const withoutLikes = (input: FleetFacts): FleetFacts =>
  editList(input, 'providers', (provider, index) =>
    provider.parentUuid === null
      ? { ...provider, traits: [...(provider.traits ?? []), `CUSTOM_ALONE_${index}`] }
      : provider,
  )

/** What hosts take of a flavor, of which rules judge equal ones at once. */
const takenBy = (fleet: Fleet, flavor: Flavor) => {
  const request = readFlavorRequest(flavor)
  return {
    two: canTakeTwo(fleet, flavor),
    empty: fleet.hosts.map((joined) => [
      couldLand(fleet, joined, request),
      countWhenEmpty(fleet, joined, request),
    ]),
  }
}

it('judged in groups, a cloud has exactly the findings of hosts that are judged one by one', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(randomClouds, ({ fleet: { input }, flavors }) => {
      const whole = withFacts(input, { flavors: readPart(flavors) })
      const [inGroups, alone] = [joinFleet(whole), joinFleet(withoutLikes(whole))]
      const { findings, unverified } = detectCloudFindings(inGroups)
      expect({ findings, unverified }).toEqual(detectCloudFindings(alone))
      for (const flavor of flavors) expect(takenBy(inGroups, flavor)).toEqual(takenBy(alone, flavor))
      for (const { code } of findings) seen.add(code)
    }),
    { numRuns: 30 },
  )
  // The rules that judge in groups must have found something.
  expect([...seen]).toEqual(
    expect.arrayContaining(['flavor-lands-nowhere', 'vgpus-stranded', 'flavor-first-vgpu-only']),
  )
})
