import { expect, it } from 'vitest'
import type { NetworkAgentCheck } from '@/lib/domain/cloud/types'
import { detect, editList, findOne, t4Cloud } from '@/lib/domain/testing/break-cloud'

const CODE = 'network-agent-missing'
const withCheck = (networkAgent: NetworkAgentCheck | undefined) =>
  editList(t4Cloud(), 'services', (service) => ({ ...service, networkAgent }))

it('is found where Neutron has no L2 agent under the name of nova-compute', () => {
  expect(findOne(withCheck({ isPresent: false, because: null }), CODE)).toMatchObject({
    severity: 'error',
    subject: { kind: 'host', host: 'cmp-1' },
    blame: 'nova.conf',
    command: 'openstack network agent list --host cmp-1',
  })
})

it('cannot be verified without Neutron, and gives the command', () => {
  const because = 'Neutron lists no agents to this account'
  expect(findOne(withCheck({ isPresent: null, because }), CODE)).toMatchObject({
    severity: 'info',
    sentence: 'cannot verify that Neutron has an L2 agent for cmp-1',
    nextStep: `${because}. Check with this command as an admin.`,
    command: 'openstack network agent list --host cmp-1',
  })
})

it('is not found where the agent exists, or where the names are the same', () => {
  for (const check of [{ isPresent: true, because: null } as const, undefined])
    expect(detect(withCheck(check)).findings).toEqual([])
})
