import { describe, expect, it } from 'vitest'
import { parseCreatableLine } from './creatable-line'
import { publishedType, publishedTypesOf } from './published-types'
import { readTypeFacts } from './read-type'
import { parseTypeName, shortTypeName } from './type-name'

describe('short names', () => {
  it.each([
    ['GRID T4-16C', 'T4-16C'],
    ['NVIDIA A40-4Q', 'A40-4Q'],
    ['NVIDIA RTX PRO 6000 Blackwell DC-4-24Q', 'DC-4-24Q'],
    ['GVTg_V5_4', 'GVTg_V5_4'],
    ['NVIDIA L40S-1B ', 'L40S-1B'],
  ])('%s → %s', (name, short) => {
    expect(shortTypeName(name)).toBe(short)
  })
})

describe('type names', () => {
  it.each([
    ['A40-4Q', { gpu: 'A40', migSlices: null, nominalGib: 4, series: 'Q', attribute: null }],
    ['T4-2B4', { gpu: 'T4', migSlices: null, nominalGib: 2, series: 'B', attribute: '4' }],
    ['M60-0Q', { gpu: 'M60', migSlices: null, nominalGib: 0, series: 'Q', attribute: null }],
    ['RTX6000-Ada-8Q', { gpu: 'RTX6000-Ada', migSlices: null, nominalGib: 8, series: 'Q', attribute: null }],
    ['A100-1-5C', { gpu: 'A100', migSlices: 1, nominalGib: 5, series: 'C', attribute: null }],
    ['A100-1-5CME', { gpu: 'A100', migSlices: 1, nominalGib: 5, series: 'C', attribute: 'ME' }],
    ['H100-7-80C', { gpu: 'H100', migSlices: 7, nominalGib: 80, series: 'C', attribute: null }],
  ])('%s', (name, parsed) => {
    expect(parseTypeName(name)).toEqual(parsed)
  })

  it("tells MIG's A100-4-20C from a time-sliced A100-20C", () => {
    const isMigBacked = (name: string) =>
      readTypeFacts({ typeId: 'nvidia-1', name, description: null }).isMigBacked
    expect([isMigBacked('GRID A100-4-20C'), isMigBacked('GRID A100-20C')]).toEqual([true, false])
  })

  it.each(['GVTg_V5_4', 'serial', '', 'A40-4', 'A100-9-5Cxx'])('%j is none of NVIDIA’s', (name) => {
    expect(parseTypeName(name)).toBeNull()
  })
})

describe('facts of a type', () => {
  it('go by the id where there is no name', () => {
    expect(readTypeFacts({ typeId: 'nvidia-35', name: null, description: null })).toMatchObject({
      shortName: 'nvidia-35',
      framebufferMib: null,
      maxInstance: null,
    })
  })

  it('take the gigabytes of the name as framebuffer where the driver describes nothing', () => {
    const framebuffer = (name: string, description: string | null) =>
      readTypeFacts({ typeId: 'nvidia-1', name, description }).framebufferMib
    expect(framebuffer('NVIDIA L40S-16Q', null)).toBe(16384)
    expect(framebuffer('NVIDIA M60-0Q', null)).toBeNull()
    expect(framebuffer('NVIDIA L40S-16Q', 'framebuffer=16000M')).toBe(16000)
  })
})

describe('lines of creatable_vgpu_types', () => {
  it('hold an id and a name', () => {
    expect(parseCreatableLine('1145  : NVIDIA L40S-1B')).toEqual({ id: 1145, name: 'NVIDIA L40S-1B' })
    expect(parseCreatableLine('  7:RTX: the Return ')).toEqual({ id: 7, name: 'RTX: the Return' })
  })

  it.each(['ID    : vGPU Name', '', '1145', ': x', '12a : x'])('%j is none', (line) => {
    expect(parseCreatableLine(line)).toBeNull()
  })
})

describe('the published table', () => {
  it('knows how many fit, and a framebuffer that is not the one of the name', () => {
    expect(publishedType('A40-4Q')).toEqual({ shortName: 'A40-4Q', maxPerGpu: 12, framebufferMib: 4096 })
    expect(publishedType('H100L-94C')).toEqual({
      shortName: 'H100L-94C',
      maxPerGpu: 1,
      framebufferMib: 96246,
    })
  })

  it('has nothing for what is unknown or doubtful', () => {
    for (const name of ['H100-16C', 'T4-99Q', 'constructor-4Q', 'toString', '']) {
      expect(publishedType(name)).toBeNull()
    }
    expect(publishedTypesOf('__proto__')).toEqual([])
  })

  it('lists the T4 that the first seed shows', () => {
    expect(publishedTypesOf('T4')).toHaveLength(17)
  })
})
