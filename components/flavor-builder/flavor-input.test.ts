import { describe, expect, test } from 'vitest'
import { planFlavorSchema } from '@/lib/schemas/api/change-inputs'
import {
  changeProblems,
  EMPTY_CHANGE,
  EMPTY_FLAVOR,
  planOfChange,
  planOfNew,
  problemsOf,
  readPairs,
  specsOf,
} from './flavor-input'

describe('the input of a flavor', () => {
  test('is accepted by the console with every field filled in', () => {
    const flavorInput = {
      ...EMPTY_FLAVOR,
      name: ' vgpu.a40-4q ',
      memoryGib: '0.5',
      gpu: {
        kind: 'vgpu' as const,
        type: 'A40-4Q',
        resourceClass: 'VGPU',
        trait: null,
        count: 1,
        groupPolicy: 'isolate' as const,
      },
      isPublic: false,
      projectIds: ['p1'],
      aggregate: 'gpu',
      properties: 'gpu = true\n',
      more: 'hw:cpu_policy=dedicated',
    }
    expect(problemsOf(flavorInput)).toEqual({})
    const input = planOfNew(null, flavorInput)
    expect(planFlavorSchema.parse(input)).toMatchObject({
      input: {
        flavor: {
          name: 'vgpu.a40-4q',
          description: null,
          memoryMib: 512,
          projectIds: ['p1'],
          extraSpecs: {
            'resources:VGPU': '1',
            'aggregate_instance_extra_specs:gpu': 'true',
            'hw:cpu_policy': 'dedicated',
          },
        },
        aggregate: { name: 'gpu', hosts: [], properties: { gpu: 'true' } },
      },
    })
  })

  test('names each invalid field', () => {
    expect(
      Object.keys(
        problemsOf({
          ...EMPTY_FLAVOR,
          vcpus: '0',
          memoryGib: 'much',
          diskGib: '-1',
          more: 'gpu',
          properties: '=1',
        }),
      ),
    ).toEqual(['name', 'vcpus', 'memoryGib', 'diskGib', 'properties', 'more'])
  })

  test('that is public names no projects, and properties without an aggregate are no extra specs', () => {
    const flavorInput = { ...EMPTY_FLAVOR, name: 'x', projectIds: ['p1'], properties: 'gpu=true' }
    expect(planOfNew(null, flavorInput).input).toMatchObject({ flavor: { projectIds: [] }, aggregate: null })
    expect(specsOf(flavorInput)).toEqual({})
  })

  test('for flavors that there are leaves the description where none was written', () => {
    const input = planOfChange('c', ['1'], { ...EMPTY_CHANGE, trait: 'CUSTOM_X', unset: 'a\n\nb' })
    expect(planFlavorSchema.parse(input).input).toEqual({
      do: 'change',
      flavorIds: ['1'],
      trait: 'CUSTOM_X',
      set: {},
      unset: ['a', 'b'],
      grant: [],
      revoke: [],
      aggregate: null,
    })
    const tied = { ...EMPTY_CHANGE, aggregate: ' gpu ', hosts: ['cmp-1'], properties: 'gpu=true' }
    expect(planFlavorSchema.parse(planOfChange('c', ['1'], tied)).input).toMatchObject({
      aggregate: { name: 'gpu', hosts: ['cmp-1'], properties: { gpu: 'true' } },
    })
    expect(changeProblems({ ...tied, properties: 'gpu' })).toHaveProperty('properties')
    expect(changeProblems({ ...EMPTY_CHANGE, trait: 'custom' })).toHaveProperty('trait')
  })
})

test('a value may hold an equals sign', () => {
  expect(readPairs('a=b=c').pairs).toEqual({ a: 'b=c' })
})
