import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { a40FullHost, a40Host } from '@/simulator/fixtures/a40-host'
import { a100SlidesHost } from '@/simulator/fixtures/a100-slides-host'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import { equalSizeHost } from '@/simulator/fixtures/equal-size-host'
import { gvtgHost } from '@/simulator/fixtures/gvtg-host'
import { migHost } from '@/simulator/fixtures/mig-host'
import { mttyHost } from '@/simulator/fixtures/mtty-host'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { vendorVfioHost, vendorVfioPlainHost } from '@/simulator/fixtures/vendor-vfio-host'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import type { HostSpec } from './host-spec'
import { renderHostTree } from './render-host-tree'
import { emptyTrigger } from './tree'
import { writeHostTree } from './write-host-tree'

const roots: string[] = []

const written = (spec: HostSpec): string => {
  const root = makeTemporaryDirectory('host-tree')
  roots.push(root)
  writeHostTree(root, spec)
  return root
}

afterEach(() => {
  for (const root of roots.splice(0)) removeTree(root)
})

const read = (root: string, at: string): string => readFileSync(path.join(root, at), 'utf8')

const available = (root: string, slot: string, typeId: string): string =>
  read(root, `/sys/class/mdev_bus/${slot}/mdev_supported_types/${typeId}/available_instances`).trim()

const creatableTypes = (root: string, slot: string): string[] =>
  readdirSync(path.join(root, `/sys/class/mdev_bus/${slot}/mdev_supported_types`)).filter(
    (typeId) => available(root, slot, typeId) !== '0',
  )

describe('the T4 host of the article', () => {
  it('lists the 17 types with the descriptions of the article', () => {
    const root = written(t4SeedHost)
    const types = path.join(root, '/sys/class/mdev_bus/0000:18:00.0/mdev_supported_types')
    expect(readdirSync(types).join(' ')).toBe(
      'nvidia-222 nvidia-223 nvidia-224 nvidia-225 nvidia-226 nvidia-227 nvidia-228 nvidia-229 nvidia-230 nvidia-231 ' +
        'nvidia-232 nvidia-233 nvidia-234 nvidia-252 nvidia-319 nvidia-320 nvidia-321',
    )
    const described = (typeId: string): string =>
      readFileSync(path.join(types, typeId, 'description'), 'utf8').trim()
    expect(described('nvidia-222')).toBe(
      'num_heads=4, frl_config=45, framebuffer=1024M, max_resolution=5120x2880, max_instance=16',
    )
    expect(described('nvidia-321')).toBe(
      'num_heads=1, frl_config=60, framebuffer=16384M, max_resolution=4096x2160, max_instance=1',
    )
  })

  it('has its one vGPU on f4 and nothing left to create there', () => {
    const root = written(t4SeedHost)
    const [uuid = ''] = readdirSync(path.join(root, '/sys/bus/mdev/devices'))
    expect(readlinkSync(path.join(root, '/sys/bus/mdev/devices', uuid))).toBe(
      `../../../devices/pci0000:f3/0000:f3:00.0/0000:f4:00.0/${uuid}`,
    )
    expect(creatableTypes(root, '0000:f4:00.0')).toEqual([])
    expect(available(root, '0000:18:00.0', 'nvidia-222')).toBe('16')
    expect(read(root, '/.sliceboard/commands/nvidia-smi-vgpu-q.txt')).toMatch(
      /GPU 00000000:F4:00\.0\n\s+Active vGPUs\s+: 1\n/,
    )
  })
})

describe('availability in the tree', () => {
  it('is 0 on every VF of the A100 of the slides', () => {
    const root = written(a100SlidesHost)
    const vfs = readdirSync(path.join(root, '/sys/class/mdev_bus'))
    expect(vfs).toHaveLength(16)
    expect(vfs[0]).toBe('0000:41:00.4')
    expect(new Set(vfs.map((vf) => available(root, vf, 'nvidia-468')))).toEqual(new Set(['0']))
    expect(readdirSync(path.join(root, '/sys/bus/mdev/devices'))).toHaveLength(10)
  })

  it('is 1 on each of the 27 unused VFs of an A40 with 5 of 12, and 0 everywhere at the twelfth', () => {
    const open = written(a40Host)
    const vfs = readdirSync(path.join(open, '/sys/class/mdev_bus'))
    expect(vfs).toHaveLength(32)
    expect(vfs.filter((vf) => available(open, vf, 'nvidia-560') === '1')).toHaveLength(27)
    const full = written(a40FullHost)
    expect(vfs.filter((vf) => available(full, vf, 'nvidia-560') === '1')).toHaveLength(0)
  })

  it('keeps 4Q, 4A and 4C after one 4 GB vGPU', () => {
    const root = written(equalSizeHost)
    expect(creatableTypes(root, '0000:65:00.5')).toEqual(['nvidia-746', 'nvidia-751', 'nvidia-754'])
    expect(creatableTypes(root, '0000:65:00.4')).toEqual([])
  })

  it('offers in MIG mode only what a free GPU instance backs', () => {
    const root = written(migHost)
    expect(creatableTypes(root, '0000:21:01.0')).toEqual(['nvidia-474'])
    expect(creatableTypes(root, '0000:e1:00.4')).toEqual([])
  })

  it('shares the aperture of GVT-g and the ports of mtty', () => {
    const gvtg = written(gvtgHost)
    expect(
      ['V5_1', 'V5_2', 'V5_4', 'V5_8'].map((type) => available(gvtg, '0000:00:02.0', `i915-GVTg_${type}`)),
    ).toEqual(['0', '1', '2', '4'])
    const mtty = written(mttyHost)
    expect(available(mtty, 'mtty', 'mtty-1')).toBe('22')
    expect(
      existsSync(path.join(mtty, '/sys/class/mdev_bus/mtty/mdev_supported_types/mtty-1/description')),
    ).toBe(false)
  })
})

describe('vendor VFIO', () => {
  it('names the type of a VF by number and lists what is creatable below a header', () => {
    const root = written(vendorVfioHost)
    expect(existsSync(path.join(root, '/sys/class/mdev_bus'))).toBe(false)
    expect(read(root, '/sys/bus/pci/devices/0000:41:00.4/nvidia/current_vgpu_type')).toBe('1152\n')
    const creatable = read(root, '/sys/bus/pci/devices/0000:41:01.2/nvidia/creatable_vgpu_types').split('\n')
    expect(creatable.slice(0, 2)).toEqual(['ID    : vGPU Name', '1152  : NVIDIA L40S-8Q'])
    expect(existsSync(path.join(root, '/sys/bus/pci/devices/0000:41:00.0/nvidia'))).toBe(false)
  })

  it('leaves only the header on a full card, or nothing where the driver prints none', () => {
    const at = '/sys/bus/pci/devices/0000:81:00.5/nvidia/creatable_vgpu_types'
    expect(read(written(vendorVfioHost), at)).toBe('ID    : vGPU Name\n')
    expect(read(written(vendorVfioPlainHost), at)).toBe('')
  })
})

describe.each(Object.entries(FIXTURE_HOSTS))('%s', (name, spec) => {
  it('has no dangling link but those that it is about, no link out of the tree, and `create` and `remove` for writers only', () => {
    const root = realpathSync(written(spec))
    const dangling: string[] = []
    const tree = renderHostTree(spec)
    for (const [at, entry] of tree) {
      if (entry.kind !== 'link') continue
      const link = path.join(root, at)
      if (!existsSync(link)) dangling.push(at)
      else expect(realpathSync(link).startsWith(root)).toBe(true)
    }
    const isDriver = (at: string): boolean => /\/(driver|subsystem)$/.test(at)
    const wanted = name === 'trouble-host' ? 2 : 0
    expect(dangling.filter((at) => !isDriver(at))).toHaveLength(wanted)
    const triggers = [...tree.keys()].filter((at) => /\/(create|remove)$/.test(at))
    const modes = triggers.map((at) => statSync(path.join(root, at)).mode & 0o777)
    expect(modes.filter((mode) => mode !== emptyTrigger().mode)).toEqual([])
  })
})
