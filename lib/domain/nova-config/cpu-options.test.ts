import { describe, expect, test } from 'vitest'
import { buildNovaConfig, novaConf } from '@/lib/domain/testing/build-inventory'
import { isSameCpuOptions, readCpuOptions, splitOf } from './cpu-options'

const CPUS = new Set(Array.from({ length: 24 }, (_, cpu) => cpu))
const split = (text: string) => {
  const { shared, dedicated, ...rest } = splitOf(readCpuOptions(novaConf(text)), CPUS)
  return { shared: shared.size, dedicated: dedicated.size, ...rest }
}

describe('how nova-compute interprets its options', () => {
  test('without any, all CPUs are shared and 512 MiB are the host’s', () => {
    expect(split('')).toEqual({ shared: 24, dedicated: 0, reservedCpus: 0, reservedMemoryMib: 512 })
  })

  test('the old vcpu_pin_set gives VCPU and no PCPU', () => {
    expect(split('vcpu_pin_set = 0-22\nreserved_host_memory_mb = 4096')).toMatchObject({
      shared: 23,
      dedicated: 0,
      reservedMemoryMib: 4096,
    })
  })

  test('a dedicated set alone leaves nothing to share', () => {
    expect(split('[compute]\ncpu_dedicated_set = 20-23')).toMatchObject({ shared: 0, dedicated: 4 })
    expect(split('[compute]\ncpu_dedicated_set = 20-23\ncpu_shared_set = 0-9')).toMatchObject({ shared: 10 })
  })

  test('CPUs that the host does not have count for nothing', () => {
    expect(split('[compute]\ncpu_shared_set = 20-30')).toMatchObject({ shared: 4 })
  })
})

test('a later file takes an option back by an empty value', () => {
  const options = readCpuOptions(
    buildNovaConfig({ '/a.conf': 'vcpu_pin_set = 0-3', '/b.conf': 'vcpu_pin_set =' }),
  )
  expect(options.pinSet).toBeNull()
})

test('options mean the same however a set is written', () => {
  const of = (text: string) => readCpuOptions(novaConf(text))
  expect(isSameCpuOptions(of('vcpu_pin_set = 0-3'), of('vcpu_pin_set = 0,1,2-3'))).toBe(true)
  expect(isSameCpuOptions(of('reserved_host_cpus = 0'), of('reserved_host_memory_mb = 512'))).toBe(true)
  expect(isSameCpuOptions(of('vcpu_pin_set = 0-3'), of('[compute]\ncpu_shared_set = 0-3'))).toBe(false)
})
