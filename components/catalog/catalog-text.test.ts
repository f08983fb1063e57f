import { expect, test } from 'vitest'
import type { CatalogCard, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { filterCatalog } from './catalog-page'
import {
  cardNote,
  flavorTitle,
  formatAvailability,
  formatDisplays,
  formatDrivers,
  formatLicenses,
  formatMemory,
  limitSentence,
  purposeSentence,
  requestableClass,
  startSentence,
} from './catalog-text'

const card = (rest: Partial<CatalogCard> = {}): CatalogCard => ({
  model: 'NVIDIA A40',
  typeName: 'A40-4Q',
  memoryMib: 4096,
  perCard: 12,
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
  usualWait: null,
  startsTogether: true,
  headroom: { state: 'available', more: 3 },
  pricePerHour: null,
  isWatched: false,
  ...rest,
})

test('the title names the card and the share of it', () => {
  const titleOf = (rest: Partial<CatalogCard>, gpus = 1) => flavorTitle({ cards: [card(rest)], gpus })
  expect(titleOf({})).toBe('A slice of an NVIDIA A40')
  expect(titleOf({ perCard: 2, model: 'Tesla T4' })).toBe('Half a Tesla T4')
  expect(titleOf({ perCard: 1 })).toBe('A whole NVIDIA A40, as a vGPU')
  expect(titleOf({ typeName: null, perCard: 1 })).toBe('A whole NVIDIA A40')
  expect(titleOf({}, 2)).toBe('Two slices of an NVIDIA A40')
  expect(flavorTitle({ cards: [card(), card({ model: 'Tesla T4' })], gpus: 1 })).toBe(
    'A slice of an NVIDIA A40 or a slice of a Tesla T4',
  )
  expect(flavorTitle({ cards: [], gpus: 1 })).toBe('A GPU, model unknown')
  const kinds = ['A', 'B', 'C', 'D'].map((model) => card({ model }))
  expect(flavorTitle({ cards: kinds, gpus: 1 })).toBe('A GPU, model depends on availability')
})

test('memory, displays and license cover every card of the flavor', () => {
  expect(formatMemory(flavor({ gpus: 2 }))).toBe('2 × 4 GiB')
  expect(formatMemory(flavor({ cards: [card(), card({ memoryMib: 8192 })] }))).toBe('4 GiB or 8 GiB')
  expect(formatDisplays(flavor())).toBe('up to 4, 7680 × 4320')
  expect(formatDisplays(flavor({ cards: [card({ series: 'C' })] }))).toBe('none (compute only)')
  expect(formatLicenses(flavor({ cards: [card({ series: 'C' })] }))).toBe('AI Enterprise (computing)')
  expect(formatLicenses(flavor({ cards: [card({ series: null, typeName: null })] }))).toBe(
    'not required for compute',
  )
})

test('a missing value is unknown, not nothing', () => {
  expect(formatMemory(flavor({ cards: [card(), card({ memoryMib: null })] }))).toBeNull()
  expect(formatDisplays(flavor({ cards: [] }))).toBeNull()
  expect(formatLicenses(flavor({ cards: [card({ series: null })] }))).toBeNull()
  expect(purposeSentence(flavor({ purposes: [] }))).toBeNull()
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

test('purposes make a sentence', () => {
  expect(purposeSentence(flavor())).toBe('For desktops and CAD.')
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

test('how to start several is shown where it matters', () => {
  expect(startSentence(flavor())).toBeNull()
  expect(startSentence(flavor({ startsTogether: false }))).toMatch(/^Create servers one at a time/)
  expect(startSentence(flavor({ gpus: 2, startsTogether: false }))).toMatch(/one GPU each/)
  expect(cardNote(flavor({ startsTogether: false }))).toBe(
    'Create servers one at a time. Your quota allows 3 more.',
  )
  expect(
    cardNote(flavor({ cards: [card({ perCard: 1 })], headroom: { state: 'available', more: null } })),
  ).toBe('The card is not shared.')
})

test('availability is shown in words, with the usual wait', () => {
  expect(formatAvailability(flavor({ availability: 'none' }))).toBe('Not available')
  expect(formatAvailability(flavor({ availability: 'none', usualWait: 'days' }))).toBe(
    'Not available, usually available within three days',
  )
})

test('filters keep what serves the purpose and surely has the memory', () => {
  const small = flavor()
  const either = flavor({ id: 'f-2', cards: [card(), card({ memoryMib: 16_384 })] })
  const large = flavor({
    id: 'f-3',
    name: 'big.h100',
    cards: [card({ memoryMib: 16_384 })],
    purposes: ['training'],
  })
  const unreported = flavor({ id: 'f-4', cards: [card({ memoryMib: null })] })
  const idsFor = (filter: Partial<Parameters<typeof filterCatalog>[1]>) =>
    filterCatalog([small, either, large, unreported], {
      q: '',
      purpose: null,
      memoryGib: null,
      ...filter,
    }).map(({ id }) => id)
  expect(idsFor({ purpose: null, memoryGib: null })).toEqual(['f-1', 'f-2', 'f-3', 'f-4'])
  expect(idsFor({ purpose: 'training', memoryGib: null })).toEqual(['f-3'])
  expect(idsFor({ purpose: null, memoryGib: 8 })).toEqual(['f-3'])
  expect(idsFor({ q: ' H100 big' })).toEqual(['f-3'])
  expect(idsFor({ q: 'slice big' })).toEqual(['f-3'])
  expect(idsFor({ q: 'big small' })).toEqual([])
})
