import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import {
  detect,
  editHosts,
  editNovaConf,
  findOne,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-class-not-registered'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: readPart(edit(limits)), versions: { ...input.facts.versions, nova } })
}

const unregistered = (nova: string) =>
  withLimits(
    (limits) => ({
      ...limits,
      registered: limits.registered.filter((row) => row.resourceName !== 'class:VGPU'),
    }),
    nova,
  )

it('counts as 0 up to 2024.2 and as unlimited after', () => {
  expect(sentences(unregistered('2.96'))).toEqual([
    `${CODE}: class:VGPU has no registered limit: it counts as 0`,
  ])
  expect(findOne(unregistered('2.100'), CODE)).toMatchObject({
    severity: 'warning',
    sourceToCorrect: 'keystone',
    subject: { kind: 'limit', resourceName: 'class:VGPU', regionId: 'RegionOne' },
    sentence: 'class:VGPU has no registered limit: it counts as unlimited',
  })
})

it('counts as 0 on 2025.1 where nova.conf lists it as required', () => {
  const conf =
    '[devices]\nenabled_mdev_types = nvidia-319\n[quota]\ndriver = nova.quota.UnifiedLimitsDriver\nunified_limits_resource_list = servers, class:VGPU'
  expect(findOne(editNovaConf(unregistered('2.100'), conf), CODE).severity).toBe('error')
})

it('in another region is not found, either', () => {
  const elsewhere = withLimits((limits) => ({
    ...limits,
    registered: limits.registered.map((row) => ({ ...row, regionId: 'RegionTwo' })),
  }))
  expect(sentences(elsewhere)).toHaveLength(4)
})

const onApi = (input: FleetFacts, lines: [name: string, value: string][]): FleetFacts =>
  editHosts(input, (inventory) => ({
    ...inventory,
    host: {
      ...inventory.host,
      novaApi: {
        deployment: 'kolla' as const,
        files: ['/etc/kolla/nova-api/nova.conf'],
        options: lines.map(([name, value], line) => ({
          section: 'quota',
          name,
          value,
          file: '/etc/kolla/nova-api/nova.conf',
          line,
        })),
      },
    },
  }))

it('goes by nova.conf of the API where an agent reads it, not by those of compute hosts', () => {
  const legacy = onApi(unregistered('2.96'), [['driver', 'nova.quota.DbQuotaDriver']])
  expect(sentences(legacy)).toEqual([])
  const required = onApi(unregistered('2.100'), [
    ['driver', 'nova.quota.UnifiedLimitsDriver'],
    ['unified_limits_resource_list', 'servers,class:VGPU'],
  ])
  expect(findOne(required, CODE).severity).toBe('error')
})

it('does not matter where limits have no effect', () => {
  const none = withLimits((limits) => ({ ...limits, registered: [] }))
  expect(sentences(editNovaConf(none, '[devices]\nenabled_mdev_types = nvidia-319'))).toEqual([])
})

const answered = (input: FleetFacts, driver: 'unified' | 'legacy'): FleetFacts => ({
  ...input,
  quotaDriver: { driver, by: 'user:anna@Default', at: '2026-11-20T09:00:00.000Z' },
})

it('goes by an admin’s answer where no agent reads nova.conf of the API, with who gave it', () => {
  expect(sentences(answered(unregistered('2.96'), 'legacy'))).toEqual([])
  const bare = editNovaConf(
    withLimits((limits) => ({ ...limits, registered: [] }), '2.96'),
    '[devices]\nenabled_mdev_types = nvidia-319',
  )
  expect(sentences(bare)).toEqual([])
  const counted = detect(answered(bare, 'unified')).findings.filter(({ code }) => code === CODE)
  expect(counted.map(({ severity }) => severity)).toContain('error')
  expect(counted[0]?.evidence).toContainEqual({
    source: 'nova.conf',
    reported: 'anna@Default answered that Nova’s API uses unified limits',
    at: '2026-11-20T09:00:00.000Z',
  })
})

it('goes by the agent on the API against an admin’s answer', () => {
  const legacy = onApi(unregistered('2.96'), [['driver', 'nova.quota.DbQuotaDriver']])
  expect(sentences(answered(legacy, 'unified'))).toEqual([])
})
