import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { heldBy, L40S_VFS, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { hasFreeAlias } from './alias-devices'

test('a VF that a process outside libvirt has open is not free', () => {
  const cloud = l40sCloud({ typed: 2, isInPlacement: false })
  const hasFree = (count: number, held: readonly string[] = []): boolean => {
    const hosts = cloud.hosts.map((host) => ({
      ...host,
      inventory: { ...host.inventory, deviceHolders: held.map(heldBy) },
    }))
    return hasFreeAlias(joinFleet({ ...cloud, hosts }), 'hyper18', { name: 'l40s-16q', count })
  }
  expect([hasFree(2), hasFree(3)]).toEqual([true, false])
  const [first = '', second = ''] = L40S_VFS
  expect([hasFree(1, [first]), hasFree(2, [first])]).toEqual([true, false])
  expect(hasFree(1, [first, second])).toBe(false)
})
