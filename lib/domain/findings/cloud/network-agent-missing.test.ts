import { expect, it } from 'vitest'
import type { NetworkAgentCheck } from '@/lib/domain/cloud/types'
import { detect, findOne, gapsOf, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { silentPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'network-agent-missing'
const withCheck = (...checks: NetworkAgentCheck[]) => {
  const networkAgents = { value: checks, at: t4Cloud().now, error: null, failingSince: null }
  return withFacts(t4Cloud(), { networkAgents })
}

it('is found where Neutron has no L2 agent under the name of nova-compute', () => {
  expect(findOne(withCheck({ host: 'cmp-1', state: 'missing' }), CODE)).toMatchObject({
    severity: 'error',
    subject: { kind: 'host', host: 'cmp-1' },
    sourceToCorrect: 'nova.conf',
    command: 'openstack network agent list --host cmp-1',
    evidence: [{ source: 'neutron' }],
  })
})

it('names a dead agent, and what to do about it', () => {
  const dead = { host: 'cmp-1', state: 'dead', agentTypes: ['Open vSwitch agent'] } as const
  const finding = findOne(withCheck(dead), CODE)
  expect(finding).toMatchObject({
    severity: 'error',
    sentence: 'the L2 agent of cmp-1 is dead',
    nextStep: 'Start the L2 agent on the host and read its log. Neutron does not bind ports to a dead agent.',
    sourceToCorrect: 'neutron',
  })
  expect(JSON.stringify(finding.evidence)).toContain(
    'GET /v2.0/agents: Open vSwitch agent of cmp-1, alive is false',
  )
})

it('cannot be verified without Neutron, and gives the command', () => {
  const because = 'Neutron returned no agents to this account.'
  expect(findOne(withCheck({ host: 'cmp-1', state: 'unverified', because }), CODE)).toMatchObject({
    severity: 'info',
    sentence: 'cannot verify that Neutron has an L2 agent for cmp-1',
    nextStep: `${because} Check with this command as an admin.`,
    sourceToCorrect: null,
    command: 'openstack network agent list --host cmp-1',
  })
})

it('is not found where the agent is alive, or where the names are the same', () => {
  for (const input of [withCheck({ host: 'cmp-1', state: 'alive' }), withCheck()])
    expect(detect(input).findings).toEqual([])
})

it('is unknown while Neutron fails', () => {
  expect(gapsOf(withFacts(t4Cloud(), { networkAgents: silentPart() }), CODE)).toEqual([
    "Neutron's agents could not be read: connection refused",
  ])
})

it('names a host without an agent of Sliceboard by its nova-compute', () => {
  expect(findOne(withCheck({ host: 'gpu18', state: 'missing' }), CODE).subject).toEqual({
    kind: 'host',
    host: 'gpu18',
  })
})
