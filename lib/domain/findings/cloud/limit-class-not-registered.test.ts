import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import {
  editHosts,
  editNovaConf,
  findOne,
  sentences,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { spoken } from '@/lib/domain/testing/build-cloud'

const CODE = 'limit-class-not-registered'
const withLimits = (edit: (limits: LimitFacts) => LimitFacts, nova = '2.100') => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has no limits')
  return withFacts(input, { limits: spoken(edit(limits)), versions: { ...input.facts.versions, nova } })
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
    blame: 'keystone',
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
