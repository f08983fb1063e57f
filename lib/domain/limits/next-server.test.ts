import { expect, it } from 'vitest'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { ownLimits } from './effective-limit'
import { limitTable } from './limit-view'
import { nextServer } from './next-server'

const flavor = buildFlavor({ name: 'vgpu', vcpus: 8, memoryMib: 512, extraSpecs: { 'resources:VGPU': '1' } })

const resultOf = (fleet: Fleet, usages: Record<string, number>, servers?: number | null, wanted = flavor) => {
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  return nextServer(fleet, view, {
    own: ownLimits(view),
    projectId: 'p1',
    use: { usages, because: null, ...(servers === undefined ? {} : { servers }) },
    flavor: wanted,
  })
}

it('names several limits in the order in which oslo.limit checks them', () => {
  const answer = resultOf(joinFleet(t4Cloud()), { VCPU: 1000, MEMORY_MB: 1000, VGPU: 0 })
  if (answer.state !== 'refused') throw new Error(`it is ${answer.state}`)
  expect(answer.message.match(/(?<=Resource )\S+/g)).toEqual(['class:MEMORY_MB', 'class:VCPU', 'class:VGPU'])
})

it('counts servers where Nova reported how many there are, and reports where it did not', () => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has limits')
  const registered = limits.registered.map((row) =>
    ['servers', 'class:VGPU'].includes(row.resourceName) ? { ...row, defaultLimit: 10 } : row,
  )
  const fleet = joinFleet(withFacts(input, { limits: readPart({ ...limits, registered }) }))
  expect(resultOf(fleet, {}, 9)).toEqual({ state: 'fits', unchecked: [] })
  expect(resultOf(fleet, {}, 10)).toMatchObject({
    state: 'refused',
    message:
      'Project p1 is over a limit for [Resource servers is over limit of 10 due to current usage 10 and delta 1]',
  })
  for (const missing of [undefined, null])
    expect(resultOf(fleet, {}, missing)).toEqual({ state: 'fits', unchecked: ['servers'] })
})

it('names a limit that Nova does not enforce together with one that it enforces, and refuses for no such limit alone', () => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has limits')
  const registered = limits.registered
    .filter(({ resourceName }) => resourceName !== 'class:MEMORY_MB')
    .map((row) => ({ ...row, defaultLimit: { servers: -1, 'class:VGPU': 2 }[row.resourceName] ?? 1000 }))
  const fleet = joinFleet(withFacts(input, { limits: readPart({ ...limits, registered }) }))
  expect(resultOf(fleet, { VGPU: 1 }, 1)).toEqual({ state: 'fits', unchecked: [] })
  const answer = resultOf(fleet, { VGPU: 2, MEMORY_MB: 512 }, 1)
  if (answer.state !== 'refused') throw new Error(`it is ${answer.state}`)
  expect(answer.over.map(({ resourceName }) => resourceName)).toEqual(['class:VGPU'])
  expect(answer.message).toBe(
    'Project p1 is over a limit for [Resource class:MEMORY_MB is over limit of 0 due to current usage 512 and delta 512, Resource class:VGPU is over limit of 2 due to current usage 2 and delta 1, Resource servers is over limit of -1 due to current usage 1 and delta 1]',
  )
})

it.each([
  ['true', {}, 'refused'],
  ['true', { 'resources:PCPU': '1' }, 'fits'],
  ['false', {}, 'fits'],
  [null, {}, 'fits'],
])(
  'unified_limits_count_pcpu_as_vcpu = %s counts PCPU as VCPU for a server of %j: %s',
  (value, specs, state) => {
    const option = value === null ? '' : `[workarounds]\nunified_limits_count_pcpu_as_vcpu = ${value}`
    const novaApi = novaConf(`[quota]\ndriver = nova.quota.UnifiedLimitsDriver\n${option}`)
    const input = editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      host: { ...inventory.host, novaApi },
    }))
    const wanted = buildFlavor({
      name: 'plain',
      memoryMib: 512,
      vcpus: 2,
      extraSpecs: { 'resources:VCPU': '2', ...specs },
    })
    expect(resultOf(joinFleet(input), { VCPU: 500, PCPU: 499 }, 1, wanted).state).toBe(state)
  },
)
