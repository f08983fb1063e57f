import { describe, expect, test } from 'vitest'
import { candidatesQuery, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { buildExtraSpecs, type GpuInput } from './build-extra-specs'
import { requireTrait } from './required-traits'

const build = (
  gpu: GpuInput | null,
  rest: { properties?: Record<string, string>; more?: Record<string, string> } = {},
) => buildExtraSpecs({ gpu, aggregateProperties: rest.properties ?? {}, more: rest.more ?? {} })

const flavor = (extraSpecs: Record<string, string>) => ({
  vcpus: 4,
  memoryMib: 8192,
  diskGib: 20,
  ephemeralGib: 0,
  swapMib: 0,
  extraSpecs,
})

const vgpu = (rest: Partial<Extract<GpuInput, { kind: 'vgpu' }>> = {}): GpuInput => ({
  kind: 'vgpu',
  resourceClass: 'VGPU',
  trait: 'CUSTOM_NVIDIA_A40_4Q',
  count: 1,
  groupPolicy: 'isolate',
  ...rest,
})

describe('extra specs of a request', () => {
  test('one vGPU is without a number, its trait next to it', () => {
    expect(build(vgpu())).toEqual({ 'resources:VGPU': '1', 'trait:CUSTOM_NVIDIA_A40_4Q': 'required' })
  })

  test('its own class needs no trait', () => {
    expect(build(vgpu({ resourceClass: 'CUSTOM_A40_4Q', trait: null }))).toEqual({
      'resources:CUSTOM_A40_4Q': '1',
    })
  })

  test('several vGPUs have a group each, with its own trait, and a group policy', () => {
    const specs = build(vgpu({ count: 2 }))
    expect(specs).toEqual({
      'resources1:VGPU': '1',
      'trait1:CUSTOM_NVIDIA_A40_4Q': 'required',
      'resources2:VGPU': '1',
      'trait2:CUSTOM_NVIDIA_A40_4Q': 'required',
      group_policy: 'isolate',
    })
    expect(candidatesQuery(readFlavorRequest(flavor(specs)))).toBe(
      'GET /allocation_candidates?resources=DISK_GB:20,MEMORY_MB:8192,VCPU:4&resources1=VGPU:1&required1=CUSTOM_NVIDIA_A40_4Q&resources2=VGPU:1&required2=CUSTOM_NVIDIA_A40_4Q&group_policy=isolate',
    )
  })

  test('a whole card is requested by its alias, and aggregates by their properties', () => {
    expect(build({ kind: 'pci', alias: 'gpu', count: 1 }, { properties: { gpu: 'true' } })).toEqual({
      'pci_passthrough:alias': 'gpu:1',
      'aggregate_instance_extra_specs:gpu': 'true',
    })
  })

  test('what is written by hand wins', () => {
    expect(
      build(vgpu({ trait: null }), { more: { 'resources:VGPU': '2', 'hw:cpu_policy': 'dedicated' } }),
    ).toEqual({
      'resources:VGPU': '2',
      'hw:cpu_policy': 'dedicated',
    })
  })
})

const required = (extraSpecs: Record<string, string>) => {
  const request = readFlavorRequest(flavor(extraSpecs))
  return requireTrait({ request, classes: ['VGPU', 'CUSTOM_A'] }, 'CUSTOM_X')
}

describe('a required trait', () => {
  test('has the suffix of the resource that it belongs to', () => {
    expect(required({ 'resources:VGPU': '1' })).toEqual({
      'trait:CUSTOM_X': 'required',
    })
    expect(required({ 'resources_gpu:VGPU': '1' })).toEqual({
      'trait_gpu:CUSTOM_X': 'required',
    })
    expect(required({ 'resources1:VGPU': '1', 'resources2:CUSTOM_A': '1' })).toEqual({
      'trait1:CUSTOM_X': 'required',
      'trait2:CUSTOM_X': 'required',
    })
  })

  test('is not written for a flavor that requests no GPU by a class', () => {
    expect(required({ 'pci_passthrough:alias': 'gpu:1' })).toEqual({})
    expect(required({})).toEqual({})
  })
})
