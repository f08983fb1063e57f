import { expect, it } from 'vitest'
import type { ChangePreview, PreviewOf } from '@/lib/schemas/api/change'
import { previewExcerpt } from './preview-excerpt'

const target = (index: number) => ({ host: `cmp-${index}`, address: '0000:18:00.0' })
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const BASE = { targets: many(250, target), refusals: [], unchanged: [], flavors: [] }

type TypeChange = NonNullable<PreviewOf<'type'>['typeChange']>

const hostOf = (index: number): TypeChange['hosts'][number] => ({
  host: `cmp-${index}`,
  deployment: 'given',
  pgpus: many(4, (gpu) => ({
    ...{ address: `0000:${gpu}8:00.0`, model: 'T4', fromTypeId: null, fromTypeName: null },
    ...{ capacityBefore: 4, used: 0, spare: 0, orphan: 0, capacityAfter: 2 },
  })),
  closedToo: [],
  isDisabledBefore: false,
  configBefore: '',
  configAfter: '',
  traits: [],
})

const serverOf = (index: number): TypeChange['servers'][number] => ({
  ...{ ...target(index), serverUuid: `${index}`, name: 'vm', status: 'ACTIVE', flavorName: null },
  ...{ projectName: 'p', way: index < 300 ? 'live' : 'owner', to: [], because: null },
})

const typeOf = (hosts: number, servers: number): PreviewOf<'type'> => ({
  kind: 'type',
  ...BASE,
  typeChange: {
    ...{ toTypeId: 'nvidia-231', toTypeName: 'T4-2Q', capacities: [], flavors: [], limits: [] },
    hosts: many(hosts, hostOf),
    servers: many(servers, serverOf),
  },
})

it('has the first hosts and servers of a large type change, with the numbers of all', () => {
  const excerpt = previewExcerpt(typeOf(250, 310))
  if (excerpt.kind !== 'type' || excerpt.typeChange === null) throw new Error('It is of another kind.')
  const { hosts, servers, totals } = excerpt.typeChange
  expect([hosts.length, servers.length]).toEqual([50, 100])
  expect(totals).toEqual({ hosts: 250, pgpus: 1000, servers: { live: 300, cold: 0, owner: 10 } })
  expect(excerpt.targets).toEqual(BASE.targets)
})

it('has all hosts and servers of a small one', () => {
  const whole = typeOf(2, 3)
  expect(previewExcerpt(whole)).toMatchObject(whole)
})

it('has the first providers, files and pGPUs of a change of traits, with the numbers of all', () => {
  const matches = { flavorId: 'f', name: 'f', before: 0, after: 250, gains: many(250, target), loses: [] }
  const preview: ChangePreview = {
    kind: 'traits',
    ...BASE,
    flavors: [matches],
    traitTexts: {
      files: many(60, (index) => ({ host: `cmp-${index}`, text: null, problem: 'unknown' })),
      deviceSpecs: [],
    },
    traitNaming: {
      rule: 'CUSTOM_{type}',
      origin: 'cloud',
      providers: many(250, (index) => ({
        ...{ ...target(index), providerName: `p${index}`, typeName: 'T4-2Q', current: [], after: [] },
      })),
    },
  }
  const excerpt = previewExcerpt(preview)
  if (excerpt.kind !== 'traits') throw new Error('It is of another kind.')
  expect(excerpt.traitTexts.files).toHaveLength(50)
  expect(excerpt.traitTexts.totals).toEqual({ files: 60, deviceSpecs: 0 })
  expect(excerpt.traitNaming?.providers).toHaveLength(100)
  expect(excerpt.traitNaming?.providerCount).toBe(250)
  expect(excerpt.flavors[0]).toMatchObject({ gainCount: 250, loseCount: 0 })
  expect(excerpt.flavors[0]?.gains).toHaveLength(10)
})
