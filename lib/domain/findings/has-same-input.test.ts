import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { detect, editGpuProviders, editHosts, editList, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud, healthyPlans } from '@/lib/domain/testing/healthy-cloud'
import type { Evidence } from './finding'
import { hasSameInput } from './has-same-input'

const later = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString()

const editFacts = (input: FleetFacts, edit: (host: CloudHostFacts) => CloudHostFacts): FleetFacts => ({
  ...input,
  hosts: input.hosts.map(edit),
})

/** The parts are read again, and have the same values. */
const readAgain = (input: FleetFacts): FleetFacts => {
  const { providers, servers, services, flavors } = input.facts
  const again = <Part extends { at: string | null }>(part: Part): Part =>
    part.at === null ? part : { ...part, at: later(part.at, 30) }
  return {
    ...withFacts(input, {
      providers: again(providers),
      servers: again(servers),
      services: again(services),
      flavors: again(flavors),
    }),
    now: later(input.now, 30),
  }
}

const seen = (input: FleetFacts, seconds: number): FleetFacts =>
  editFacts(input, (host) => ({
    ...host,
    seenAt: later(host.seenAt, seconds),
    takenAt: later(host.takenAt, seconds),
  }))

/** What happens between two rounds. */
const EVENTS: Record<string, (input: FleetFacts) => FleetFacts> = {
  nothing: (input) => input,
  read: readAgain,
  heartbeat: (input) => seen(input, 30),
  'long time': (input) => ({ ...input, now: later(input.now, 400) }),
  silence: (input) => editFacts(input, (host) => ({ ...host, isSilent: !host.isSilent })),
  'other agent': (input) => editFacts(input, (host) => ({ ...host, agentVersion: '0.9.0' })),
  clock: (input) =>
    editFacts(input, (host) => ({
      ...host,
      problems: [{ source: 'agent', code: 'clock', message: '5 minutes' }],
    })),
  'no guests': (input) => editHosts(input, (inventory) => ({ ...inventory, guests: [] })),
  'new servers': (input) =>
    editList(input, 'servers', (server) => ({ ...server, createdAt: later(input.now, 10) })),
  'no traits': (input) => editGpuProviders(input, (provider) => ({ ...provider, traits: [] })),
  'Placement fails': (input) => {
    const { value, at } = input.facts.providers
    if (value === null || at === null) return input
    return withFacts(input, { providers: { value, at, error: 'HTTP 503', failingSince: input.now } })
  },
  'other Nova': (input) => withFacts(input, { versions: { ...input.facts.versions, nova: '2.90' } }),
  'removed host': (input) => ({ ...input, removedHosts: ['cmp-9'] }),
}

const found = (input: FleetFacts) => {
  const untimed = ({ source, reported }: Evidence) => ({ source, reported })
  const { findings, unverified } = detect(input)
  return {
    findings: findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(untimed) })),
    unverified,
  }
}

it('the same input has the same findings, with any events between rounds', () => {
  fc.assert(
    fc.property(
      healthyPlans,
      fc.array(fc.constantFrom(...Object.keys(EVENTS)), { minLength: 1, maxLength: 6 }),
      (plans, names) => {
        let judged = buildHealthyCloud(plans)
        let now = judged
        for (const name of names) {
          now = EVENTS[name]?.(now) ?? now
          if (hasSameInput(judged, now)) expect(found(judged), names.join()).toEqual(found(now))
          else judged = now
        }
      },
    ),
    { numRuns: 40 },
  )
})

it('heartbeats and equal answers are no change', () => {
  const before = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])
  expect(hasSameInput(before, seen(readAgain(before), 30))).toBe(true)
})

it.each(Object.keys(EVENTS).filter((name) => !['nothing', 'read', 'heartbeat', 'long time'].includes(name)))(
  'is different after: %s',
  (name) => {
    const before = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])
    expect(hasSameInput(before, EVENTS[name]?.(before) ?? before)).toBe(false)
  },
)

it('data that becomes too old is a change', () => {
  const before = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])
  const muchLater = { ...before, now: later(before.now, before.staleAfterMs / 1000 + 60) }
  expect(hasSameInput(before, muchLater)).toBe(false)
})

it('hosts that have not been seen since a server was created are judged again', () => {
  const before = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])
  const young = editList(
    editHosts(before, (inventory) => ({ ...inventory, guests: [] })),
    'servers',
    (server) => ({ ...server, createdAt: '2026-11-21T09:59:55.000Z' }),
  )
  const after = seen(young, 30)
  expect(found(after)).not.toEqual(found(young))
  expect(hasSameInput(young, after)).toBe(false)
})
