import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { layoutOfConfig } from '@/lib/domain/nova-config/layout/mdev-layout'
import { editNovaConf } from '@/lib/domain/testing/break-cloud'
import { buildNovaConfig } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { planTypeChange } from '../type-change/plan-type-change'

const twoHosts = (): FleetFacts =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
  ])

const preview = (input: FleetFacts) => {
  const gpus = joinFleet(input).hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
  const plan = planTypeChange(joinFleet(input), {
    gpus,
    typeId: 'nvidia-320',
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
  })
  return plan.typeChange
}

it('gives a text per deployment that reads as the plan’s own layout, hosts of one layout together', () => {
  const found = preview(twoHosts())
  expect(found?.configs.map(({ problem }) => problem)).toEqual(Array(6).fill(null))
  const [first] = found?.configs ?? []
  expect(first?.deployment).toBe('nova-conf')
  expect(first?.texts.map(({ title }) => title)).toEqual(['Drop-in of cmp-1 and cmp-2'])
  const read = (text: string) => layoutOfConfig('cmp-1', buildNovaConfig({ '/x.conf': text })).types
  expect(read(first?.texts[0]?.text ?? '')).toEqual(read(found?.hosts[0]?.configAfter ?? ''))
  expect(found?.hosts.map(({ configChanges }) => configChanges.length > 0)).toEqual([true, true])
})

it('keeps the names that nova.conf has from before Xena', () => {
  const input = editNovaConf(twoHosts(), '[devices]\nenabled_vgpu_types = nvidia-319\n')
  expect(preview(input)?.configs[0]?.texts[0]?.text).toContain('enabled_vgpu_types = nvidia-320')
})
