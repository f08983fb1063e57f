import { expect, it } from 'vitest'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { limitTable } from '@/lib/domain/findings/cloud/limit-view'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { ownLimits } from './effective-limit'
import { nextServer } from './next-server'

const flavor = buildFlavor({ name: 'vgpu', vcpus: 8, memoryMib: 4096, extraSpecs: { 'resources:VGPU': '1' } })

const told = (fleet: Fleet, usages: Record<string, number>) => {
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  return nextServer(fleet, view, {
    own: ownLimits(view),
    projectId: 'p1',
    use: { usages, because: null },
    flavor,
  })
}

it('names several limits in the order in which oslo.limit checks them', () => {
  const answer = told(joinFleet(t4Cloud()), { VCPU: 1000, MEMORY_MB: 1000, VGPU: 0 })
  if (answer.state !== 'refused') throw new Error(`it is ${answer.state}`)
  expect(answer.message.match(/(?<=Resource )\S+/g)).toEqual(['class:MEMORY_MB', 'class:VCPU', 'class:VGPU'])
})
