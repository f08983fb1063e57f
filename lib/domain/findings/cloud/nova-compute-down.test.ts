import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { ComputeService } from '@/lib/domain/cloud/types'
import {
  detect,
  editHosts,
  editList,
  findOne,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { silentPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const CODE = 'nova-compute-down'
const withService = (edit: Partial<ComputeService>, input: FleetFacts = t4Cloud()): FleetFacts =>
  editList(input, 'services', (service) => ({ ...service, ...edit }))
const DEAD = { state: 'down' as const, updatedAt: '2026-11-21T08:00:00.000000Z' }
const codes = (input: FleetFacts) => detect(input).findings.map(({ code }) => code)

// Source: nova/servicegroup/drivers/db.py is_up; fault row C10.
it('states since when, what runs there and what is blocked', () => {
  const found = findOne(withService(DEAD), CODE)
  expect(found).toMatchObject({
    severity: 'error',
    sentence: 'nova-compute is down since 2026-11-21T08:00:00.000000Z',
    sourceToCorrect: 'nova',
    subject: { kind: 'host', host: 'cmp-1' },
  })
  expect(found.consequence).toContain('The guests of its 2 servers keep running')
  expect(found.evidence.map(({ reported }) => reported)).toContain('2 allocated of its GPU providers')
})

it('is found on a full host too', () => {
  const full = buildHealthyCloud([{ cards: [{ kind: 'T4', used: 4, spare: 0 }], hasDomain: false }])
  expect(codes(withService(DEAD, full))).toEqual([CODE])
})

it('is found while the agent is silent, and where no agent reports', () => {
  const input = withService(DEAD)
  const silent = { ...input, hosts: input.hosts.map((host) => ({ ...host, isSilent: true })) }
  expect(codes(silent)).toContain(CODE)
  expect(codes({ ...input, hosts: [] })).toContain(CODE)
})

it('the command names the unit that the agent reports', () => {
  const input = editHosts(withService(DEAD), ({ host, ...rest }) => ({
    ...rest,
    host: { ...host, novaUnit: { name: 'nova-compute@1.service', userId: null } },
  }))
  expect(findOne(input, CODE).command).toBe('systemctl restart nova-compute@1')
  expect(findOne(input, 'vgpus-stranded').command).toBe('systemctl restart nova-compute@1')
})

it('a service that is forced down is set up again, not enabled', () => {
  expect(findOne(withService({ ...DEAD, isForcedDown: true }), CODE)).toMatchObject({
    sentence: 'nova-compute is forced down',
    command: 'openstack compute service set --up cmp-1 nova-compute',
  })
})

it('servers and providers that were not read are not counted as none', () => {
  const disabled = withService({ ...DEAD, status: 'disabled' })
  for (const input of [disabled, { ...disabled, hosts: [] }]) {
    const unread = withFacts(input, { servers: silentPart() })
    const found = findOne(unread, CODE)
    expect(found.severity).toBe('error')
    expect(found.consequence).toContain('The guests of its servers keep running')
    expect(found.evidence.map(({ reported }) => reported)).toContain('servers were not read')
  }
  const { evidence } = findOne(withFacts(disabled, { providers: silentPart() }), CODE)
  expect(evidence.map(({ reported }) => reported).join()).not.toContain('allocated of its GPU providers')
})

it('a disabled service that works is not down', () => {
  expect(codes(withService({ status: 'disabled' }))).not.toContain(CODE)
})

it('free vGPUs of a host that is down: no advice to enable an enabled service', () => {
  const stranded = findOne(withService(DEAD), 'vgpus-stranded')
  expect(stranded.command).toBe('systemctl restart nova-compute')
  expect(stranded.nextStep).toBe('Repair nova-compute on this host; its service is enabled.')
  expect(findOne(withService({ ...DEAD, status: 'disabled' }), 'vgpus-stranded').nextStep).toBe(
    'Repair nova-compute on this host, then enable its service.',
  )
  expect(findOne(withService({ status: 'disabled' }), 'vgpus-stranded').command).toBe(
    'openstack compute service set --enable cmp-1 nova-compute',
  )
})

it('a cell that does not answer is named as the cause, not a wrong host name', () => {
  const down = editList(withService({ status: 'unknown', state: 'unknown' }), 'hypervisors', () => null)
  const found = findOne(down, 'host-not-joined')
  expect(found.sentence).toContain('its Nova cell does not answer')
  expect(sentences(down)).toHaveLength(1)
})
