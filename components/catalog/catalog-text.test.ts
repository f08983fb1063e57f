import { expect, test } from 'vitest'
import type { CatalogCard, CatalogFlavor } from '@/lib/schemas/api/catalog'
import {
  flavorTitle,
  formatDisplays,
  formatDrivers,
  formatLicenses,
  formatMemory,
  limitSentence,
  monthlyPriceText,
  performanceText,
  purposeText,
  quotaLeftText,
  requestableClass,
  shareText,
  startSentence,
  unknownShare,
} from './catalog-text'

const card = (rest: Partial<CatalogCard> = {}): CatalogCard => ({
  model: 'NVIDIA A40',
  typeName: 'A40-4Q',
  memoryMib: 4096,
  isolation: 'time-sliced',
  share: { compute: { part: 1, of: 12 }, memory: null, perInstance: null },
  displays: 4,
  maxResolution: '7680x4320',
  series: 'Q',
  ...rest,
})

const flavor = (rest: Partial<CatalogFlavor> = {}): CatalogFlavor => ({
  id: 'f-1',
  name: 'vgpu.a40-4q',
  vcpus: 4,
  memoryMib: 16_384,
  diskGib: 40,
  gpus: 1,
  cards: [card()],
  purposes: ['desktop', 'cad'],
  driverBranches: ['550'],
  availability: 'free',
  startsTogether: true,
  headroom: { state: 'available', more: 3 },
  pricePerHour: null,
  isWatched: false,
  ...rest,
})

test('the title names the GPU and its memory', () => {
  const titleOf = (rest: Partial<CatalogCard>, gpus = 1) => flavorTitle({ cards: [card(rest)], gpus })
  expect(titleOf({})).toBe('NVIDIA A40, 4 GiB')
  expect(titleOf({ memoryMib: null })).toBe('NVIDIA A40')
  expect(titleOf({}, 2)).toBe('2 × NVIDIA A40, 4 GiB')
  expect(flavorTitle({ cards: [card(), card({ model: 'Tesla T4' })], gpus: 1 })).toBe(
    'NVIDIA A40, 4 GiB or Tesla T4, 4 GiB',
  )
  expect(flavorTitle({ cards: [], gpus: 1 })).toBe('GPU, model unknown')
  const kinds = ['A', 'B', 'C', 'D'].map((model) => card({ model }))
  expect(flavorTitle({ cards: kinds, gpus: 2 })).toBe('2 × GPUs, model depends on availability')
})

const mig = (rest: Partial<NonNullable<CatalogCard['share']>> = {}) =>
  card({
    isolation: 'mig',
    share: { compute: { part: 3, of: 7 }, memory: { part: 4, of: 8 }, perInstance: null, ...rest },
  })
const WHOLE = card({
  isolation: 'whole',
  typeName: null,
  series: null,
  share: { compute: { part: 1, of: 1 }, memory: null, perInstance: null },
})

test('the share is that of one GPU, in slices for MIG', () => {
  const share = (one: CatalogCard, gpus = 1) => shareText({ cards: [one], gpus })
  expect(share(card())).toBe('1/12 of the GPU')
  expect(share(mig())).toBe('3/7 compute, 4/8 memory')
  expect(share(mig({ compute: { part: 1, of: 4 }, memory: null, perInstance: 12 }))).toBe(
    '1/4 compute, shared by up to 12',
  )
  expect(share(mig({ compute: { part: 7, of: 7 }, memory: { part: 8, of: 8 } }))).toBe('whole GPU')
  expect(share(WHOLE, 2)).toBe('2 × whole GPU')
  expect(shareText({ cards: [card(), WHOLE], gpus: 1 })).toBe('1/12 of the GPU or whole GPU')
  expect(shareText({ cards: [card(), card({ share: null })], gpus: 1 })).toBeNull()
  expect(shareText({ cards: [], gpus: 1 })).toBeNull()
  expect(unknownShare({ cards: [] })).toBe('the GPU model is unknown')
})

test('only a GPU or an instance of one’s own has reserved performance', () => {
  const performance = (one: CatalogCard) => performanceText({ cards: [one] })
  expect(performance(card())).toBe('varies with load on the GPU')
  expect(performance(mig())).toBe('reserved')
  expect(performance(mig({ perInstance: 12 }))).toBe('varies with load on the MIG instance')
  expect(performance(WHOLE)).toBe('reserved')
  expect(performance(card({ isolation: 'mig', share: null }))).toBeNull()
  expect(performance(card({ isolation: null }))).toBeNull()
})

test('a device of unknown kind has neither displays nor a license', () => {
  const cards = [card({ typeName: null, series: null, isolation: null, share: null })]
  expect([formatDisplays({ cards }), formatLicenses({ cards })]).toEqual([null, null])
})

test('memory, displays and license cover every card of the flavor', () => {
  expect(formatMemory(flavor({ gpus: 2 }))).toBe('2 × 4 GiB')
  expect(formatMemory(flavor({ cards: [card(), card({ memoryMib: 8192 })] }))).toBe('4 GiB or 8 GiB')
  expect(formatDisplays(flavor())).toBe('up to 4, 7680 × 4320')
  expect(formatDisplays(flavor({ cards: [card({ series: 'C' })] }))).toBe('none (compute only)')
  expect(formatLicenses(flavor({ cards: [card({ series: 'C' })] }))).toBe('AI Enterprise (computing)')
  expect(formatLicenses(flavor({ cards: [WHOLE] }))).toBe('not required for compute')
})

test('a missing value is unknown, not nothing', () => {
  expect(formatMemory(flavor({ cards: [card(), card({ memoryMib: null })] }))).toBeNull()
  expect(formatDisplays(flavor({ cards: [] }))).toBeNull()
  expect(formatLicenses(flavor({ cards: [card({ series: null })] }))).toBeNull()
  expect(purposeText(flavor({ purposes: [] }))).toBeNull()
})

test('the driver of the image is that of the hosts', () => {
  expect(formatDrivers(flavor())).toBe('vGPU 17 (550)')
  expect(formatDrivers(flavor({ driverBranches: ['535', '550'] }))).toBe('vGPU 16 (535) or vGPU 17 (550)')
  expect(formatDrivers(flavor({ driverBranches: null }))).toBeNull()
})

test('only GPU quota can be requested', () => {
  const short = (...names: string[]) =>
    flavor({
      headroom: {
        state: 'short',
        short: names.map((resourceName) => ({ resourceName, limit: 1, used: 1, needs: 1 })),
      },
    })
  expect(requestableClass(short('class:VCPU', 'class:CUSTOM_A40'))).toBe('class:CUSTOM_A40')
  expect(requestableClass(short('class:VCPU'))).toBeNull()
  expect(requestableClass(flavor())).toBeNull()
})

test('purposes are listed', () => {
  expect(purposeText(flavor())).toBe('Desktop, CAD')
  expect(purposeText(flavor({ purposes: ['training', 'inference'] }))).toBe('Training, inference')
})

test('the remaining quota is a number, no limit or unknown', () => {
  expect(quotaLeftText(flavor())).toBe('3 more')
  expect(quotaLeftText(flavor({ headroom: { state: 'available', more: null } }))).toBe('no limit')
  expect(quotaLeftText(flavor({ headroom: { state: 'short', short: [] } }))).toBe('0 more')
  expect(quotaLeftText(flavor({ headroom: { state: 'unknown' } }))).toBeNull()
})

test('the own limit shows what still fits, or what is short', () => {
  expect(limitSentence(flavor())).toBe('Your quota allows 3 more.')
  expect(limitSentence(flavor({ headroom: { state: 'available', more: 1 } }))).toBe(
    'Your quota allows 1 more.',
  )
  expect(limitSentence(flavor({ headroom: { state: 'available', more: null } }))).toBeNull()
  expect(
    limitSentence(
      flavor({
        headroom: {
          state: 'short',
          short: [
            { resourceName: 'class:VGPU', limit: 4, used: 3, needs: 2 },
            { resourceName: 'class:MEMORY_MB', limit: 4096, used: 2048, needs: 4096 },
          ],
        },
      }),
    ),
  ).toBe('Needs 2 vGPUs. Your project has 1 left. Needs 4 GiB of memory. Your project has 2 GiB left.')
})

test('the singular is used for one, and servers have a limit, too', () => {
  const short = [
    { resourceName: 'class:VGPU', limit: 4, used: 4, needs: 1 },
    { resourceName: 'servers', limit: 10, used: 10, needs: 1 },
  ]
  expect(limitSentence(flavor({ headroom: { state: 'short', short } }))).toBe(
    'Needs 1 vGPU. Your project has 0 left. Needs 1 server. Your project has 0 left.',
  )
  expect(requestableClass(flavor({ headroom: { state: 'short', short: short.slice(1) } }))).toBeNull()
})

test('the price of a month is that of 730 hours, to the cent', () => {
  const month = (amount: string) => monthlyPriceText({ pricePerHour: { amount, currency: 'EUR' } })
  expect(month('0.62')).toBe('EUR 452.60')
  expect(month('0.1475')).toBe('EUR 107.68')
  expect(month('10.00')).toBe('EUR 7,300')
  expect(monthlyPriceText({ pricePerHour: null })).toBeNull()
})

test('how to start several is shown where it matters', () => {
  expect(startSentence(flavor())).toBeNull()
  expect(startSentence(flavor({ startsTogether: false }))).toMatch(/^Create servers one at a time/)
  expect(startSentence(flavor({ gpus: 2, startsTogether: false }))).toMatch(/one GPU each/)
})
