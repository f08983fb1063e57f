import { expect, it } from 'vitest'
import { detect, editNovaConf } from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

type Card = { used: number; spare: number }
const found = (cards: Card[], max: number) =>
  detect(
    editNovaConf(
      buildHealthyCloud([
        { cards: cards.map((card) => ({ kind: 'T4' as const, ...card })), hasDomain: false },
      ]),
      `[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\nmax_instances = ${max}\n[quota]\ndriver = nova.quota.UnifiedLimitsDriver`,
    ),
  ).findings.filter(({ code }) => code.startsWith('max-instances'))

// Source: nova/virt/libvirt/driver.py _get_gpu_inventories: made + available of a parent above the limit gives total 0, and
// _update_provider_tree_for_vgpu then removes the provider, which Placement refuses (409) while it has allocations.
it.each<[Card[], number, number]>([
  [[{ used: 2, spare: 1 }], 3, 1],
  [[{ used: 3, spare: 0 }], 2, 1],
  [[{ used: 4, spare: 0 }], 1, 1],
  [
    [
      { used: 2, spare: 0 },
      { used: 1, spare: 0 },
    ],
    4,
    2,
  ],
])('%j with max_instances %i', (cards, max, providers) => {
  const [finding, ...rest] = found(cards, max)
  expect(rest).toEqual([])
  expect(finding).toMatchObject({
    code: 'max-instances-below-use',
    severity: 'error',
    sentence: `max_instances ${max} of nvidia-319 removes ${providers} resource provider${providers === 1 ? '' : 's'} in use, so Nova's update of Placement fails`,
  })
  expect(finding?.consequence).toContain('Placement keeps the old total')
})

it('an unused card is only left out', () => {
  expect(found([{ used: 0, spare: 0 }], 3).map(({ code }) => code)).toEqual(['max-instances-drops-pgpus'])
})

it('enough for what exists and fits', () => {
  expect(found([{ used: 3, spare: 0 }], 4)).toEqual([])
})
