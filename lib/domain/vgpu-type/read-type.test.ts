import { describe, expect, it } from 'vitest'
import { parseCreatableLine } from './creatable-line'
import { publishedType } from './published-types'
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

  it("distinguishes MIG's A100-4-20C from a time-sliced A100-20C", () => {
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

const card = (model: string | null, framebufferMib: number | null = null) => ({ model, framebufferMib })
const BLACKWELL_6000 = card('NVIDIA RTX PRO 6000 Blackwell Server Edition', 97_887)
const BLACKWELL_4500 = card('NVIDIA RTX PRO 4500 Blackwell Server Edition', 32_623)

describe('the published table', () => {
  const maxOf = (name: string, of = card(null)) => publishedType(name, of)?.maxPerGpu ?? null

  it('has the maximum, and a framebuffer that is not the one of the name', () => {
    expect(publishedType('A40-4Q', card('NVIDIA A40', 46_068))).toMatchObject({
      maxPerGpu: 12,
      framebufferMib: 4096,
      source: expect.stringMatching(/vgpu-device-manager.*\(\d{4}-\d\d-\d\d\)/),
    })
    expect(publishedType('H100L-94C', card(null))).toMatchObject({ maxPerGpu: 1, framebufferMib: 96_246 })
  })

  it('has nothing for what is unknown or doubtful', () => {
    for (const name of ['H100-16C', 'T4-99Q', 'constructor-4Q', 'toString', ''])
      expect(publishedType(name, card(null))).toBeNull()
  })

  it('distinguishes cards whose types have the same names', () => {
    expect(['DC-8C', 'DC-16C', 'DC-32C', 'DC-2B'].map((name) => maxOf(name, BLACKWELL_6000))).toEqual([
      12, 6, 3, 32,
    ])
    expect(['DC-8C', 'DC-16C', 'DC-32C', 'DC-2B'].map((name) => maxOf(name, BLACKWELL_4500))).toEqual([
      4, 2, 1, 16,
    ])
    expect(maxOf('DC-96C', BLACKWELL_4500)).toBeNull()
  })

  it.each([null, 'NVIDIA 10de:2c3b', 'NVIDIA RTX PRO 5000 Blackwell', 'NVIDIA L40S'])(
    'has none of these types for the card %s',
    (model) => {
      expect(maxOf('DC-8C', card(model))).toBeNull()
    },
  )

  it('has nothing for a card that its driver takes for another, or that is too small for the numbers', () => {
    expect(maxOf('RTXA6000-2Q', card('NVIDIA GeForce RTX 2080', 8192))).toBeNull()
    expect(maxOf('A10-4Q', card('NVIDIA A100 80GB PCIe'))).toBeNull()
    expect(maxOf('A40-4Q', card('NVIDIA A40', 24_564))).toBeNull()
    expect(maxOf('T4-16Q', card('Tesla T4', 15_360))).toBe(1)
  })

  it.each([
    ['A100D-40C', 'NVIDIA A100 80GB PCIe', 2],
    ['A100X-20C', 'NVIDIA A100-SXM4-40GB', 2],
    ['H100XM-40C', 'NVIDIA H100 80GB HBM3', 2],
    ['H100L-47C', 'NVIDIA H100 NVL', 2],
    ['H200X-1-18C', 'NVIDIA H200', 7],
    ['RTX6000-Ada-24Q', 'NVIDIA RTX 6000 Ada Generation', 2],
    ['RTXA6000-24Q', 'NVIDIA RTX A6000', 2],
    ['A2-8Q', 'NVIDIA A16 / A2', 2],
    ['L40S-24Q', 'NVIDIA 10de:26b9', 2],
  ])('knows %s of the card %s', (name, model, max) => {
    expect(maxOf(name, card(model))).toBe(max)
  })

  it('takes the maximum of a type of the same size for A, B and Q types, but not for C types', () => {
    expect(publishedType('DC-3A', BLACKWELL_6000)).toMatchObject({
      shortName: 'DC-3A',
      maxPerGpu: 32,
      framebufferMib: 3072,
      source: expect.stringMatching(/^DC-3Q in /),
    })
    expect(maxOf('DC-1-6A', BLACKWELL_6000)).toBe(16)
    expect(maxOf('DC-3A', BLACKWELL_4500)).toBe(10)
    expect(maxOf('DC-3C', BLACKWELL_6000)).toBeNull()
  })

  it('has the vGPUs of one GPU instance where several share one', () => {
    expect(publishedType('DC-1-3Q', BLACKWELL_6000)?.maxPerInstance).toBe(8)
    expect(publishedType('DC-2-48Q', BLACKWELL_6000)?.maxPerInstance).toBe(1)
    expect(publishedType('DC-3Q', BLACKWELL_6000)?.maxPerInstance).toBeNull()
  })
})
