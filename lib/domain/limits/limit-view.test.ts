import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { isRequired } from './limit-view'

const fleetWith = (quota: string) =>
  joinFleet(
    editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      novaConfig: novaConf(`[quota]\n${quota}`),
    })),
  )

test('the strategy and list of required limits are those of nova.conf', () => {
  const fleet = fleetWith(
    'unified_limits_resource_strategy = ignore\nunified_limits_resource_list = servers, class:VGPU',
  )
  expect(['servers', 'class:VGPU', 'class:VCPU'].map((name) => isRequired(fleet, name))).toEqual([
    false,
    false,
    true,
  ])
})

test('the hosts are read once for the limits of many flavors and projects', () => {
  let reads = 0
  const fleet = new Proxy(fleetWith('unified_limits_resource_list = servers'), {
    get: (target, key) => {
      if (key === 'hosts') reads += 1
      return Reflect.get(target, key)
    },
  })
  isRequired(fleet, 'class:VGPU')
  const ofOne = reads
  for (let flavor = 0; flavor < 100; flavor += 1) isRequired(fleet, `class:CUSTOM_${flavor}`)
  expect(reads).toBe(ofOne)
})
