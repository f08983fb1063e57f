import { expect, it } from 'vitest'
import { parseTypeDescription } from './parse-description'

const NOTHING = {
  framebufferMib: null,
  heads: null,
  maxResolution: null,
  frameRateLimit: null,
  maxInstance: null,
}

it("reads NVIDIA's line", () => {
  expect(
    parseTypeDescription(
      'num_heads=4, frl_config=60, framebuffer=4096M, max_resolution=7680x4320, max_instance=4',
    ),
  ).toEqual({
    framebufferMib: 4096,
    heads: 4,
    maxResolution: '7680x4320',
    frameRateLimit: 60,
    maxInstance: 4,
  })
})

it("adds up the two sizes of Intel GVT-g's lines", () => {
  const text = 'low_gm_size: 128MB\nhigh_gm_size: 512MB\nfence: 4\nresolution: 1920x1200\nweight: 4\n'
  expect(parseTypeDescription(text)).toEqual({
    ...NOTHING,
    framebufferMib: 640,
    maxResolution: '1920x1200',
  })
})

it('knows one size of the two as no size', () => {
  expect(parseTypeDescription('low_gm_size: 128MB').framebufferMib).toBeNull()
})

it('tolerates order, spacing, missing and unknown keys', () => {
  expect(parseTypeDescription('max_instance=12,shiny=yes,  framebuffer = 2G')).toEqual({
    ...NOTHING,
    framebufferMib: 2048,
    maxInstance: 12,
  })
})

it('reads nothing out of odd values', () => {
  expect(
    parseTypeDescription('framebuffer=lots, max_instance=-3, num_heads=, max_resolution=big, frl_config=x'),
  ).toEqual(NOTHING)
})

it.each([null, '', 'Dual port serial', '=,=,\n:'])('reads nothing out of %j', (text) => {
  expect(parseTypeDescription(text)).toEqual(NOTHING)
})

it('takes the first of a key that is listed twice', () => {
  expect(parseTypeDescription('max_instance=4, max_instance=8').maxInstance).toBe(4)
})

it('is done with spaces on both sides of a sign, however many a hostile host sends', () => {
  const spaces = ' '.repeat(1360)
  expect(parseTypeDescription(`A${spaces}:${spaces}0${spaces}\r:`)).toEqual(NOTHING)
})
