import { describe, expect, it } from 'vitest'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { buildNovaConfig } from '../../testing/build-inventory'
import { filesOverDropIn, lostDropIn } from './drop-in-order'

const MAIN = '[devices]\nenabled_mdev_types = nvidia-222\n'
const BASE = '[DEFAULT]\nhost = a\n'
const DROP_IN = '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf'

const config = (files: Record<string, string>, position?: number | null): NovaConfig => ({
  ...buildNovaConfig(files),
  ...(position === undefined ? {} : { dropIn: { path: DROP_IN, place: position } }),
})

/** As Debian's start script has it: the folders first. */
const DEBIAN = { '/etc/nova/nova.conf': BASE, '/etc/nova/nova-compute.conf': MAIN }

describe('files over a drop-in', () => {
  it('are those that are read later and name types', () => {
    const debian = config({ '/etc/nova/nova.conf.d/10-base.conf': BASE, ...DEBIAN })
    expect(filesOverDropIn(debian, DROP_IN)).toEqual(['/etc/nova/nova-compute.conf'])
    const rdo = config({ '/etc/nova/nova.conf': MAIN, '/etc/nova/nova.conf.d/10-base.conf': MAIN })
    expect(filesOverDropIn(rdo, DROP_IN)).toEqual([])
    expect(filesOverDropIn(rdo, '/etc/nova/nova.conf.d/05-early.conf')).toEqual([
      '/etc/nova/nova.conf.d/10-base.conf',
    ])
  })

  it('are unknown while no file of the folder was read and the agent does not report them', () => {
    expect(filesOverDropIn(config(DEBIAN), DROP_IN)).toBeNull()
    expect(filesOverDropIn(config(DEBIAN, 0), DROP_IN)).toEqual(['/etc/nova/nova-compute.conf'])
    expect(filesOverDropIn(config(DEBIAN, 2), DROP_IN)).toEqual([])
  })

  it('are the same whether the drop-in is there already or not', () => {
    const there = { [DROP_IN]: MAIN, ...DEBIAN }
    expect(filesOverDropIn(config(there), DROP_IN)).toEqual(['/etc/nova/nova-compute.conf'])
    expect(filesOverDropIn(config(there, 0), DROP_IN)).toEqual(['/etc/nova/nova-compute.conf'])
  })
})

describe('a drop-in that would count for nothing', () => {
  it('is reported with the file that wins and the way out', () => {
    const lost = lostDropIn(config(DEBIAN, 0))
    expect(lost?.because).toBe(
      'nova-compute reads /etc/nova/nova-compute.conf after /etc/nova/nova.conf.d, and it names vGPU types, so a file that the agent writes there would have no effect.',
    )
    expect(lost?.wayOut).toContain('/etc/nova/nova.conf.d/50-vgpu.conf')
  })

  it('is reported where nova-compute does not read its folder', () => {
    expect(lostDropIn(config({ '/etc/kolla/nova-compute/nova.conf': MAIN }, null))?.because).toContain(
      'nova-compute does not read /etc/nova/nova.conf.d, so a file that the agent writes there would have no effect.',
    )
  })

  it('is not stated where the file is read last, or where the order is unknown', () => {
    expect(lostDropIn(config(DEBIAN, 2))).toBeNull()
    expect(lostDropIn(config(DEBIAN))).toBeNull()
  })
})
