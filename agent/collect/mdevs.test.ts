import * as nodeFs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import type { FileSystem } from './file-system'
import { collectMdevs, findDefinitionsFolder } from './mdevs'

const HOST = '25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw'
const LAYER = '/var/lib/docker/overlay2/abc'
const overlay = (point: string, upper = `${LAYER}/diff`) =>
  `612 25 0:57 / ${point} rw - overlay overlay rw,lowerdir=l/A:l/B,upperdir=${upper},workdir=${LAYER}/work`

/** libvirtd as process 7 with these mounts, and the host's. */
const withDaemon = (own: string[], host: string[] = [HOST], comm = 'libvirtd'): TreeContents => ({
  '/run/libvirtd.pid': '7\n',
  '/proc/7/comm': `${comm}\n`,
  '/proc/7/mountinfo': `${own.join('\n')}\n`,
  '/proc/1/mountinfo': `${host.join('\n')}\n`,
})

const find = (contents: TreeContents, deployment: 'kolla' | 'package' | null = 'kolla') => {
  const { files, problems } = treeWith({ '/etc/hostname': 'x', ...contents })
  const folder = findDefinitionsFolder({ files, problems, deployment })
  return {
    folder,
    reported: problems.list().map(({ source, code, message }) => `${source} ${code} ${message}`),
  }
}

test('libvirt in the same file system: the host’s own folder', () => {
  const private_ = '90 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw'
  expect(find(withDaemon([private_]), 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
})

test('libvirt in a container: where the host sees its root whole, else where its writes go', () => {
  const seen = find(withDaemon([overlay('/')], [HOST, overlay(`${LAYER}/merged`)]))
  expect(seen).toEqual({ folder: `${LAYER}/merged/etc/mdevctl.d`, reported: [] })
  expect(find(withDaemon([overlay('/')]))).toEqual({ folder: `${LAYER}/diff/etc/mdevctl.d`, reported: [] })
})

test('a folder of the host that is mounted there counts, also on a separate file system', () => {
  const volume = '700 612 254:1 /var/lib/docker/volumes/m/_data /etc/mdevctl.d rw - ext4 /dev/vda1 rw'
  expect(find(withDaemon([overlay('/'), volume])).folder).toBe('/var/lib/docker/volumes/m/_data')
  const disk = '31 25 254:9 / /srv\\040data rw - ext4 /dev/vdb1 rw'
  const etc = '701 612 254:9 /libvirt/etc /etc rw - ext4 /dev/vdb1 rw'
  expect(find(withDaemon([overlay('/'), etc], [HOST, disk])).folder).toBe('/srv data/libvirt/etc/mdevctl.d')
})

test('what another mount covers on the host is not taken for what the container sees', () => {
  const cover = '40 25 254:9 / /etc rw - ext4 /dev/vdb1 rw'
  const etc = '701 612 254:1 /etc /etc rw - ext4 /dev/vda1 rw'
  expect(find(withDaemon([overlay('/'), etc], [HOST, cover])).folder).toBeNull()
})

test('a layer that is named from an unknown folder is unknown, with a problem', () => {
  const { folder, reported } = find(withDaemon([overlay('/', 'abc/diff')]))
  expect(folder).toBeNull()
  expect(reported).toEqual([
    '/etc/mdevctl.d incomplete libvirtd runs in a container whose /etc/mdevctl.d cannot be read from here, so the defined mdevs are unknown.',
  ])
})

test('Kolla whose libvirt does not run, or a stale pid file, is unknown, with a problem', () => {
  expect(find({}).folder).toBeNull()
  expect(find({}).reported[0]).toContain('no running libvirtd or virtnodedevd leads to it')
  expect(find(withDaemon([overlay('/')], [HOST], 'sshd')).folder).toBeNull()
  expect(find({ '/run/libvirtd.pid': '7' }).folder).toBeNull()
})

test('packages without a daemon that runs, and trees without /proc, read the host’s own', () => {
  expect(find({}, 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
  expect(find({}, null)).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
  const withoutMounts = { '/run/libvirtd.pid': '7', '/proc/7/comm': 'libvirtd\n' }
  expect(find(withoutMounts, 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
})

test('virtnodedevd is preferred to libvirtd', () => {
  const modular = {
    ...withDaemon([HOST]),
    '/run/virtnodedevd.pid': '9',
    '/proc/9/comm': 'virtnodedevd\n',
    '/proc/9/mountinfo': overlay('/'),
  }
  expect(find(modular).folder).toBe(`${LAYER}/diff/etc/mdevctl.d`)
})

const A = '04413de6-1086-4659-95c7-6c507b81330c'
const B = '7c0ca91b-07a4-4955-a7fd-44fbeb129b7e'
const PARENT = '/sys/devices/pci0000:40/0000:40:01.1/0000:41:00.4'

const active = (uuid: string): TreeContents => ({
  [`/sys/bus/mdev/devices/${uuid}`]: {
    link: `../../../devices/pci0000:40/0000:40:01.1/0000:41:00.4/${uuid}`,
  },
  [`${PARENT}/${uuid}/mdev_type`]: { link: '../mdev_supported_types/nvidia-468' },
  [`${PARENT}/mdev_supported_types/nvidia-468/available_instances`]: '0\n',
})

const definition = (uuid: string, json: unknown, parent = '0000:41:00.4'): TreeContents => ({
  [`/etc/mdevctl.d/${parent}/${uuid}`]: typeof json === 'string' ? json : JSON.stringify(json),
})

const collect = (contents: TreeContents, fs?: FileSystem) => {
  const { files, problems } = treeWith(contents, fs)
  return { mdevs: collectMdevs({ files, problems, deployment: 'package' }), problems }
}

test('active, defined, autostart and all of it', () => {
  const C = 'c0000000-0000-4000-8000-000000000001'
  const { mdevs, problems } = collect({
    ...active(A),
    ...active(B),
    ...definition(B, { mdev_type: 'nvidia-468', start: 'auto', attrs: [] }),
    ...definition(C, { mdev_type: 'nvidia-469', start: 'manual' }, '0000:41:00.5'),
    '/etc/mdevctl.d/scripts.d/callouts/script': '#!/bin/sh\n',
  })
  expect(mdevs).toEqual([
    { uuid: A, parent: '0000:41:00.4', typeId: 'nvidia-468', isActive: true, definition: null },
    {
      uuid: B,
      parent: '0000:41:00.4',
      typeId: 'nvidia-468',
      isActive: true,
      definition: { typeId: 'nvidia-468', start: 'auto', path: `/etc/mdevctl.d/0000:41:00.4/${B}` },
    },
    {
      uuid: C,
      parent: '0000:41:00.5',
      typeId: null,
      isActive: false,
      definition: { typeId: 'nvidia-469', start: 'manual', path: `/etc/mdevctl.d/0000:41:00.5/${C}` },
    },
  ])
  expect(problems.list()).toEqual([])
})

describe('null and empty', () => {
  test('no sysfs at all is unknown', () => {
    expect(collect({ '/etc/hostname': 'x' }).mdevs).toBeNull()
  })

  test('a kernel without the mdev bus has no mdevs, but definitions may wait', () => {
    expect(collect({ '/sys/bus/pci/devices/x': '' }).mdevs).toEqual([])
    const { mdevs } = collect({
      '/sys/bus/pci/devices/x': '',
      ...definition(A, { mdev_type: 'nvidia-1', start: 'auto' }),
    })
    expect(mdevs?.map(({ uuid, isActive }) => [uuid, isActive])).toEqual([[A, false]])
  })
})

describe('trouble', () => {
  test('an mdev without type keeps its place, its type is unknown', () => {
    const { mdevs, problems } = collect({
      ...active(B),
      [`/sys/bus/mdev/devices/${A}`]: { link: `../../../devices/pci0000:40/0000:40:01.1/0000:41:00.4/${A}` },
      [`${PARENT}/${A}/remove`]: '',
    })
    expect(mdevs?.map(({ uuid, typeId }) => [uuid, typeId])).toEqual([
      [A, null],
      [B, 'nvidia-468'],
    ])
    expect(problems.list()).toEqual([
      {
        source: `/sys/bus/mdev/devices/${A}/mdev_type`,
        code: 'incomplete',
        message: `/sys/bus/mdev/devices/${A} has no mdev_type, so its vGPU type is unknown.`,
      },
    ])
  })

  test('a type whose folder is gone is still the type', () => {
    const { mdevs, problems } = collect({
      ...active(A),
      [`/sys/bus/mdev/devices/${B}`]: { link: `../../../devices/pci0000:40/0000:40:01.1/0000:41:00.4/${B}` },
      [`${PARENT}/${B}/mdev_type`]: { link: '../mdev_supported_types/nvidia-999' },
    })
    expect(mdevs?.map(({ typeId }) => typeId)).toEqual(['nvidia-468', 'nvidia-999'])
    expect(codesOf(problems)).toEqual([[`${PARENT}/${B}/mdev_type`, 'dangling']])
  })

  test('a dangling link, a name that is no uuid and a folder instead of a link are left out', () => {
    const { mdevs, problems } = collect({
      ...active(A),
      [`/sys/bus/mdev/devices/${B}`]: { link: '../../../devices/gone' },
      // As printed on the slides: one digit short.
      '/sys/bus/mdev/devices/1fe6353a-8d49-4053-8ecb-2d9a078ffa0': { link: `../../../${PARENT}/${A}` },
      '/sys/bus/mdev/devices/c0000000-0000-4000-8000-000000000001/mdev_type': '',
    })
    expect(mdevs?.map(({ uuid }) => uuid)).toEqual([A])
    expect(codesOf(problems)).toEqual([
      ['/sys/bus/mdev/devices/1fe6353a-8d49-4053-8ecb-2d9a078ffa0', 'odd-name'],
      [`/sys/bus/mdev/devices/${B}`, 'dangling'],
      ['/sys/bus/mdev/devices/c0000000-0000-4000-8000-000000000001', 'malformed'],
    ])
  })

  test('an mdev that vanishes between listing and reading', () => {
    const removing: FileSystem = {
      ...nodeFs,
      readdirSync: ((at: string, options: never) => {
        const names = nodeFs.readdirSync(at, options)
        if (at.endsWith('/sys/bus/mdev/devices')) {
          nodeFs.rmSync(path.join(at, A))
          nodeFs.rmSync(path.join(at, '../../../..', PARENT, A), { recursive: true })
        }
        return names
      }) as typeof nodeFs.readdirSync,
    }
    const { mdevs, problems } = collect({ ...active(A), ...active(B) }, removing)
    expect(mdevs?.map(({ uuid }) => uuid)).toEqual([B])
    expect(codesOf(problems)).toEqual([[`/sys/bus/mdev/devices/${A}`, 'vanished']])
  })

  test('an mdev that vanishes after its link was followed', () => {
    const removing: FileSystem = {
      ...nodeFs,
      readlinkSync: ((at: string) => {
        if (at.endsWith('mdev_type')) nodeFs.rmSync(path.dirname(at), { recursive: true })
        return nodeFs.readlinkSync(at)
      }) as typeof nodeFs.readlinkSync,
    }
    const { mdevs, problems } = collect(active(A), removing)
    expect(mdevs).toEqual([])
    expect(codesOf(problems)).toEqual([[`/sys/bus/mdev/devices/${A}`, 'vanished']])
  })
})

describe('definitions', () => {
  test.each([
    [
      '{"mdev_type": "nvidia-',
      'is not the JSON object that mdevctl writes; the definition was left out.',
      [],
    ],
    ['[]', 'is not the JSON object that mdevctl writes; the definition was left out.', []],
    ['null', 'is not the JSON object that mdevctl writes; the definition was left out.', []],
    ['{"start":"auto"}', 'names no mdev_type, so mdevctl cannot start this mdev.', [[null, 'auto']]],
    ['{"mdev_type":7}', 'names no mdev_type, so mdevctl cannot start this mdev.', [[null, 'manual']]],
  ])('%s', (json, message, expected) => {
    const { mdevs, problems } = collect({
      '/sys/bus/x': '',
      ...definition(A, json),
    })
    expect(mdevs?.map((mdev) => [mdev.definition?.typeId, mdev.definition?.start])).toEqual(expected)
    expect(problems.list().map((problem) => problem.message)).toEqual([
      `/etc/mdevctl.d/0000:41:00.4/${A} ${message}`,
    ])
  })

  test('of two definitions the one of the mdev’s own parent counts', () => {
    const json = { mdev_type: 'nvidia-468', start: 'auto' }
    const { mdevs, problems } = collect({
      ...active(A),
      ...definition(A, json, '0000:21:00.4'),
      ...definition(A, json),
    })
    expect(mdevs?.map((mdev) => mdev.definition?.path)).toEqual([`/etc/mdevctl.d/0000:41:00.4/${A}`])
    expect(codesOf(problems)).toEqual([[`/etc/mdevctl.d/0000:21:00.4/${A}`, 'malformed']])
  })

  test('a file that is not named by a uuid is left out, as mdevctl does', () => {
    const { mdevs, problems } = collect({ ...active(A), '/etc/mdevctl.d/0000:41:00.4/not json': '{}' })
    expect(mdevs).toHaveLength(1)
    expect(codesOf(problems)).toEqual([['/etc/mdevctl.d/0000:41:00.4/not json', 'odd-name']])
  })
})

test('an mdev that is a link to the top of the tree has no parent: a problem, and the rest is complete', () => {
  const { mdevs, problems } = collect({ [`/sys/bus/mdev/devices/${A}`]: { link: '/' }, ...active(B) })
  expect(mdevs?.map(({ uuid }) => uuid)).toEqual([B])
  expect(codesOf(problems)).toEqual([[`/sys/bus/mdev/devices/${A}`, 'malformed']])
})
