import { describe, expect, it } from 'vitest'
import { releaseOfMicroversion } from '../nova-releases'
import { describeConfigs } from './describe-configs'
import type { MdevLayout } from './mdev-layout'

const layout = (maxInstances: number | null = null): MdevLayout => ({
  host: 'cmp-1',
  types: [{ typeId: 'nvidia-319', addresses: ['0000:18:00.0'], mdevClass: null, maxInstances }],
})

const describeFor = (rest: Partial<Parameters<typeof describeConfigs>[0]> = {}) =>
  describeConfigs({
    layouts: [layout()],
    release: 29,
    usesOldNames: false,
    reported: ['package'],
    ...rest,
  })

describe('the texts for a change', () => {
  it('begin with the tool that most hosts seem to be deployed with', () => {
    expect(describeFor({ reported: ['kolla', 'package', 'kolla'] })[0]?.deployment).toBe('kolla-ansible')
    expect(describeFor({ reported: ['openstack-helm'] })[0]?.deployment).toBe('mosk')
    expect(describeFor({ reported: [] }).map(({ deployment }) => deployment)).toEqual([
      'nova-conf',
      'mosk',
      'openstack-helm',
      'kolla-ansible',
      'openstack-ansible',
      'juju',
    ])
  })

  it('keep the old names of a host that has them, unless an option needs the new ones', () => {
    const [old] = describeFor({ usesOldNames: true })
    expect(old?.texts[0]?.text).toContain('enabled_vgpu_types')
    const [bound] = describeFor({ usesOldNames: true, layouts: [layout(4)] })
    expect(bound?.texts[0]?.text).toContain('enabled_mdev_types')
  })

  it('are none, with the reason, where nova-compute would refuse them or its version is unknown', () => {
    const refused = describeFor({ release: 27, layouts: [layout(4)] })
    expect(refused.every(({ texts }) => texts.length === 0)).toBe(true)
    expect(refused[0]?.problem).toMatch(/^cmp-1: Nova 27 does not support max_instances/)
    expect(describeFor({ release: null })[0]?.problem).toContain('has not reported its version')
  })
})

it.each([
  ['2.103', 33],
  ['2.100', 31],
  ['2.96', 29],
  ['2.95', 27],
  ['2.90', 24],
  ['2.89', 23],
  ['2.60', null],
  [null, null],
])('takes microversion %s for Nova %s', (version, release) => {
  expect(releaseOfMicroversion(version)).toBe(release)
})
