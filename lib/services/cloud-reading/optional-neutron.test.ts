import { expect, test } from 'vitest'
import { listFindings } from '@/lib/services/finding/list-findings'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { getCloudReading } from './get-cloud-reading'

const world = createReadWorld({ hostCount: 2 })

const readCloud = async () => {
  await world.reading().readRound()
  const { parts, services } = await getCloudReading(world.at(), { cloud: world.cloudName() })
  const { findings } = await listFindings(world.at(), { cloud: world.cloudName() })
  return {
    part: parts.find(({ part }) => part === 'networkAgents'),
    others: parts.filter(({ part }) => part !== 'networkAgents').map(({ error }) => error),
    service: services.find(({ service }) => service === 'neutron'),
    findings: findings
      .filter(({ code }) => code === 'network-agent-missing')
      .map(({ severity, state, sentence }) => ({ severity, state, sentence })),
  }
}

test('an account that may not list agents is no outage, and a Neutron that fails keeps its findings', async () => {
  const [compute] = world.openstack().cloud.nova.computes
  if (compute === undefined) throw new Error('the cloud has no nova-compute')
  const { controls } = world.openstack()
  expect(await readCloud()).toMatchObject({
    part: { items: 0, error: null },
    service: { requests: 0, error: null, version: null },
    findings: [],
  })

  compute.host = 'gpu18'
  controls.breakApi({ service: 'neutron', kind: '403' })
  // Hypervisors are read every five minutes.
  world.pass(310_000)
  const refused = await readCloud()
  expect(refused).toMatchObject({
    part: { items: 1, error: null },
    service: { requests: 1, error: null, lastError: null },
    findings: [{ severity: 'info', state: 'open', sentence: expect.stringMatching(/^cannot verify/) }],
  })

  controls.breakApi({ service: 'neutron', kind: '500' })
  world.pass(180_000)
  const failed = await readCloud()
  expect(failed).toMatchObject({
    part: { items: 1, error: expect.stringContaining('status 500') },
    service: { requests: 1, error: expect.stringContaining('status 500') },
    findings: refused.findings,
  })
  expect(failed.others).toEqual(failed.others.map(() => null))

  controls.repairApi({ service: 'neutron' })
  world.pass(180_000)
  expect(await readCloud()).toMatchObject({
    part: { items: 1, error: null },
    findings: expect.arrayContaining([
      {
        severity: 'error',
        state: 'open',
        sentence: 'Neutron has no L2 agent for gpu18, the name of nova-compute',
      },
    ]),
  })
})
