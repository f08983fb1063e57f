import { describe, expect, it } from 'vitest'
import {
  buildFleet,
  hostFacts,
  mdevProvider,
  readPart,
  rootOf,
  silentPart,
} from '@/lib/domain/testing/build-cloud'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import type { Fleet } from './fleet-types'
import { joinFleet } from './join-fleet'
import type { ComputeService, Hypervisor } from './types'

const serviceOf = (host: string): ComputeService => ({
  id: host,
  host,
  status: 'enabled',
  state: 'up',
  isForcedDown: false,
  disabledReason: null,
  updatedAt: null,
  availabilityZone: null,
})

const nodeOf = (hypervisorHostname: string, serviceHost: string, id: string): Hypervisor => ({
  id,
  hypervisorHostname,
  serviceHost,
  hostIp: null,
  hypervisorVersion: null,
  state: 'up',
  status: 'enabled',
})

const joinNames = (services: string[], hypervisorHostname: string, rootName = hypervisorHostname): Fleet => {
  const root = rootOf(rootName, 1)
  return buildFleet(
    {
      services: readPart(services.map(serviceOf)),
      hypervisors: readPart([nodeOf(hypervisorHostname, services[0] ?? '', root.uuid)]),
      providers: readPart([root, mdevProvider(root, { address: '0000:18:00.0', n: 1 })]),
    },
    [hostFacts(t4SeedHost())],
  )
}

describe('joining a host', () => {
  it('by its name as written', () => {
    const [host] = joinNames(['cmp-01'], 'cmp-01').hosts
    expect(host?.service).toMatchObject({ state: 'matched', note: null })
    expect(host?.root).toMatchObject({ state: 'matched', note: null })
    expect(host?.pgpus[0]?.providers.map((entry) => entry.address)).toEqual(['0000:18:00.0'])
  })

  it('whose names differ in case and domain, and reports it', () => {
    const [host] = joinNames(['CMP-01'], 'cmp-01.example.org').hosts
    expect(host?.service.note).toBe('the nova-compute service has the name CMP-01 (other case)')
    expect(host?.root.value?.name).toBe('cmp-01.example.org')
  })

  it('that two services could be is ambiguous, and gets no providers', () => {
    const [host] = joinNames(['cmp-01.a', 'cmp-01.b'], 'cmp-01.a').hosts
    expect(host?.service.state).toBe('ambiguous')
    expect(host?.root.state).toBe('ambiguous')
    expect(host?.pgpus[0]?.providers).toEqual([])
  })

  it('that Nova does not know is absent, one whose service was not read is unknown', () => {
    expect(joinNames(['other'], 'other').hosts[0]?.service.state).toBe('absent')
    const fleet = buildFleet({ services: silentPart() }, [hostFacts(t4SeedHost())])
    expect(fleet.hosts[0]?.service).toMatchObject({
      state: 'unknown',
      because: "Nova's services could not be queried: connection refused",
    })
  })

  it('names a root provider that is called otherwise than its hypervisor', () => {
    const [host] = joinNames(['cmp-01'], 'cmp-01', 'renamed').hosts
    expect(host?.root.note).toBe('the root provider has the name renamed, the hypervisor cmp-01')
  })
})

describe('joining providers', () => {
  it('assigns VFs to their card and lists unknown addresses separately', () => {
    const input = buildHealthyCloud([{ cards: [{ kind: 'A40', used: 1, spare: 0 }], hasDomain: true }])
    const [root] = input.facts.providers.value ?? []
    if (root === undefined) throw new Error('the cloud has no root provider')
    const stray = mdevProvider(root, { address: '0000:99:00.0', n: 999 })
    const providers = readPart([...(input.facts.providers.value ?? []), stray])
    const [host] = joinFleet({ ...input, facts: { ...input.facts, providers } }).hosts
    expect(host?.pgpus[0]?.providers).toHaveLength(12)
    expect(host?.strays.map((entry) => entry.address)).toEqual(['0000:99:00.0'])
  })

  it('keeps compute nodes that no agent reports for apart', () => {
    const input = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 1, spare: 0 }], hasDomain: false }])
    const fleet = joinFleet({ ...input, hosts: [] })
    expect(fleet.unseen.map((host) => host.hypervisorHostname)).toEqual(['cmp-1'])
  })
})
