import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, editList, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { isSameMark } from '@/lib/server/sharing/keep-by-mark'
import { fleetMark } from './fleet-mark'

const input = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false }])
const markOf = (facts: FleetFacts) => fleetMark(joinFleet(facts))
const isCountedAgain = (facts: FleetFacts): boolean => !isSameMark(markOf(input), markOf(facts))

/** As a round that read the same: new times, the values of the round before. */
const readAgain = (facts: FleetFacts): FleetFacts => {
  const at = new Date(Date.parse(facts.now) + 30_000).toISOString()
  const parts = CLOUD_PARTS.map((part) => [part, { ...facts.facts[part], at }])
  return { ...withFacts(facts, Object.fromEntries(parts)), now: at }
}

it('counts outlive a round that read the same', () => {
  expect(isCountedAgain(readAgain(input))).toBe(false)
})

it.each<[string, FleetFacts]>([
  ['a part changed', editList(input, 'providers', (provider) => ({ ...provider }))],
  ['a part is too old', { ...input, now: new Date(Date.parse(input.now) + 86_400_000).toISOString() }],
  [
    'a part failed',
    withFacts(input, { servers: { ...input.facts.servers, error: 'down', failingSince: input.now } }),
  ],
  ['Nova was upgraded', withFacts(input, { versions: { ...input.facts.versions, nova: '2.104' } })],
  ['an agent sent another report', editHosts(input, (inventory) => ({ ...inventory }))],
  ['a host became silent', { ...input, hosts: input.hosts.map((host) => ({ ...host, isSilent: true })) }],
  ['an admin stated the driver', { ...input, quotaDriver: { driver: 'unified' } as never }],
])('they are made again when %s', (_case, changed) => {
  expect(isCountedAgain(changed)).toBe(true)
})
