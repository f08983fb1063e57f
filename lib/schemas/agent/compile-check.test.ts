import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { compileCheck } from './compile-check'
import {
  gpuDeviceSchema,
  guestSchema,
  inventorySchema,
  mdevSchema,
  nvidiaSmiGpuSchema,
  nvidiaSmiSchema,
} from './inventory'
import { reportHeadSchema } from './report'

const { shape } = inventorySchema
const UUID = '7595b254-5df5-47f4-a911-0fd58ce9b659'
const ADDRESS = '0000:18:00.0'

const head = {
  contractVersion: 1,
  contractRevision: 1,
  agentVersion: '0.1.0',
  position: { boot: 1, sequence: 2_147_483_647 },
  takenAt: '2026-01-01T00:00:00.000Z',
  digest: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123-_8',
  droppedReports: 0,
}

const vendorVfio = { currentType: 0, creatable: ['ID : vGPU Name', '1155 : NVIDIA L40S-1Q'] }
const gpu = {
  address: ADDRESS,
  classCode: '030200',
  vendorId: '10de',
  deviceId: '1eb8',
  subsystemVendorId: '10de',
  subsystemDeviceId: '12a2',
  modelName: 'Tesla T4',
  driver: 'nvidia',
  numaNode: 0,
  iommuGroup: 28,
  iommuGroupMembers: ['0000:18:00.1'],
  iommuGroupDevices: [
    { address: '0000:18:00.1', classCode: '040300', vendorId: '10de', deviceId: '1aef', driver: null },
  ],
  sriov: { totalVfs: 16, enabledVfs: null },
  virtualFunctions: [
    { address: '0000:18:00.4', driver: null, iommuGroup: 29, mdevTypes: [[0, 1]], vendorVfio },
  ],
  mdevTypes: [
    [0, 0],
    [1, null],
  ],
  vendorVfio: null,
}
const { iommuGroupDevices: _, ...gpuOfOlderAgent } = gpu

const mdev = {
  uuid: UUID,
  parent: ADDRESS,
  typeId: 'nvidia-319',
  isActive: true,
  definition: { typeId: null, start: 'auto', path: '/etc/mdevctl.d/0000:18:00.0/x' },
}

const guest = {
  uuid: UUID,
  name: 'instance-00000001',
  state: 'running',
  livePath: '/run/libvirt/qemu/instance-00000001.xml',
  persistentPath: null,
  nova: {
    serverName: 'vdi-8',
    flavorName: 'vgpu_1',
    projectId: 'b3acde73d72e46daad006749e53086cf',
    projectName: 'cfd-lab',
    userId: null,
    userName: 'm.ferrand',
  },
  mdevs: [{ uuid: UUID, isLive: true, isPersistent: true }],
  pciDevices: [],
}
const boundGuest = {
  ...guest,
  nova: null,
  mdevs: [],
  pciDevices: [{ address: ADDRESS, isLive: true, isPersistent: false }],
  numa: { cpus: '0-3,8', memory: [{ node: 0, memoryMib: 1e12 }] },
}

const smiGpu = {
  address: ADDRESS,
  name: 'Tesla T4',
  uuid: null,
  framebufferMib: 15360,
  migMode: 'enabled',
  gpuInstances: [{ id: 1, profile: '1g.5gb' }],
  heterogeneousMode: null,
  vgpus: [
    {
      vgpuId: '3251059417',
      guestUuid: UUID,
      guestName: 'instance-00000001',
      typeName: 'GRID T4-4C',
      mdevUuid: null,
      licenseStatus: 'Licensed',
      guestDriverVersion: '550.54.15',
    },
  ],
}

const host = {
  name: 'gpu01.example.org',
  osName: null,
  kernel: '6.8.0',
  libvirtVersion: null,
  qemuVersion: null,
  nvidiaDriverVersion: '550.54.15',
  numaNodes: [{ id: 0, cpus: '0-15', memoryMib: null }],
  allowedCommands: ['remove-mdev'],
  novaCompute: { startedAt: '2026-01-01T00:00:00Z', version: '31.0.0' },
  novaApi: null,
}

const option = { section: 'devices', name: 'enabled_mdev_types', value: 'x', file: '/etc/nova.conf', line: 3 }
const novaConfig = {
  deployment: 'kolla',
  files: ['/etc/nova.conf'],
  options: [option],
  dropIn: { path: '/etc/nova.conf.d/x.conf', place: 0 },
  providerConfig: { folder: '/etc/nova/provider', files: [{ name: 'x.yaml', text: null }] },
}
const vgpuTypes = [
  { typeId: 'nvidia-319', name: 'GRID T4-4C', description: 'a\nb', deviceApi: 'vfio-pci' },
  { typeId: 'i915-GVTg_V5_4', name: null, description: null, deviceApi: null },
]

/** What the console reads of reports part by part, and some of each. */
const SAMPLES: [string, z.ZodMiniType, unknown[]][] = [
  ['gpu', gpuDeviceSchema, [gpu, gpuOfOlderAgent]],
  ['guest', guestSchema, [guest, boundGuest]],
  ['mdev', mdevSchema, [mdev, { ...mdev, definition: null }]],
  ['gpu of nvidia-smi', nvidiaSmiGpuSchema, [smiGpu, { ...smiGpu, gpuInstances: null, vgpus: [] }]],
  ['driver of nvidia-smi', nvidiaSmiSchema.shape.driverVersion, ['550.54.15', null]],
  ['nvidia-smi', shape.nvidiaSmi, [null, { driverVersion: null, gpus: [] }]],
  ['host', shape.host, [host]],
  ['nova.conf', shape.novaConfig, [null, novaConfig]],
  ['problems', shape.problems, [[{ source: '/sys', code: 'io', message: 'gone' }]]],
  ['vGPU types', shape.vgpuTypes, [vgpuTypes]],
  ['head of a report', reportHeadSchema, [head]],
]

/** What comes instead of any value. A rocket is one character and two units, the sharp s two letters in upper case. */
const INSTEAD: readonly unknown[] = [
  ...[null, true, '', 'x', 'ß', '\n', '0000:18:00.0\n', '0000:18:00.0', '0000:1A:00.0', 'mtty', 'running'],
  ...['2026-02-30T00:00:00Z', '7595b254-5df5-47f4-a911-0fd58ce9b659', '7595B254-5DF5-47F4-A911-0FD58CE9B659'],
  ...[64, 255, 1024, 1025, 4096, 8192].flatMap((length) => ['x'.repeat(length), '🚀'.repeat(length)]),
  ...[0, -0, 1, -1, 0.5, 1_000_000, 1_000_001, 8_388_609, 2_147_483_648, 2 ** 53, 1e12, 1e300],
  ...[
    [],
    [null],
    [0, 0],
    [0, 0, 0],
    [0, 0, ''],
    Array.from({ length: 513 }, () => [0, null]),
    {},
    { length: 1 },
  ],
]

const objectWith = (object: object, name: string, value: unknown): object => {
  const copy = { ...object }
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

/** The value with something else in one place of it, in every place in turn. */
const changed = (value: unknown): unknown[] => {
  const here = typeof value === 'string' ? [value.toUpperCase(), `${value}\n`, ` ${value}`] : []
  if (typeof value !== 'object' || value === null) return [...INSTEAD, ...here]
  if (Array.isArray(value))
    return [
      ...INSTEAD,
      ...value.map((_, index) => value.toSpliced(index, 1)),
      [...value, ...value],
      Array.from({ length: 257 }, () => value[0]),
      ...value.flatMap((inner, index) => changed(inner).map((other) => value.with(index, other))),
    ]
  const object: object = value
  const less = Object.keys(object).map((gone) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => name !== gone)),
  )
  const more = [
    'zzz',
    '',
    '__proto__',
    'constructor',
    'toString',
    'numa',
    'contractRevision',
    'length',
  ].flatMap((name) => [null, 1, {}].map((extra) => objectWith(object, name, extra)))
  const turned = Object.fromEntries(Object.entries(object).reverse())
  const inner = Object.entries(object).flatMap(([name, member]) =>
    changed(member).map((other) => objectWith(object, name, other)),
  )
  return [...INSTEAD, ...less, ...more, turned, ...inner]
}

describe('it takes the usual, and nothing that the schema refuses or changes', () => {
  test.each(SAMPLES)('%s', (_name, schema, samples) => {
    const isUsual = compileCheck(schema)
    let taken = 0
    for (const sample of samples) {
      expect(isUsual(sample)).toBe(true)
      for (const made of changed(sample)) {
        const value: unknown = JSON.parse(JSON.stringify(made))
        if (!isUsual(value)) continue
        taken += 1
        const parsed = schema.safeParse(value)
        if (!isDeepStrictEqual(parsed.data, value)) expect({ parsed }).toEqual({ parsed: value })
      }
    }
    expect(samples.length).toBeGreaterThan(0)
    expect(taken).toBeGreaterThan(samples.length)
  })
})

describe('what it does not know is left to the schema', () => {
  test.each<[string, z.ZodMiniType, unknown]>([
    ['a custom rule', z.string().check(z.refine((text) => text !== 'x')), 'y'],
    ['a rule of an object', z.strictObject({ a: z.int() }).check(z.refine(({ a }) => a > 0)), { a: 1 }],
    ['another format', z.email(), 'a@example.org'],
    ['a pattern with a place', z.string().check(z.regex(/^y/g)), 'y'],
    ['a start', z.string().check(z.startsWith('y')), 'y'],
    ['a number of another format', z.int32(), 1],
    ['an open bound', z.int().check(z.gt(0)), 1],
    ['a step', z.int().check(z.multipleOf(2)), 2],
    ['a size', z.array(z.int()).check(z.length(1)), [1]],
    ['a rest', z.tuple([z.int()], z.int()), [1]],
    ['a default', z._default(z.int(), 1), 1],
    [
      'a transform',
      z.pipe(
        z.int(),
        z.transform((value) => value + 1),
      ),
      1,
    ],
    ['a coercion', z.coerce.number(), 1],
    ['a rule of keys', z.record(z.string().check(z.minLength(1)), z.int()), { a: 1 }],
    ['exactly one', z.xor([z.int(), z.number()]), 1],
    ['something unknown inside', z.strictObject({ a: z.optional(z.array(z.unknown())) }), { a: [] }],
    ['a text that it changes', z.string().check(z.toLowerCase()), 'Y'],
    ['one character of two units', z.string().check(z.minLength(2)), '🚀'],
    ['a later option', z.union([z.string().check(z.toLowerCase()), z.int()]), 1],
  ])('%s', (_name, schema, value) => {
    expect(compileCheck(schema)(value)).toBe(false)
  })
})

test('a record is usual where each of its values is', () => {
  const isUsual = compileCheck(z.record(z.string(), z.object({ total: z.nullable(z.number()) })))
  expect(isUsual({})).toBe(true)
  expect(isUsual({ VGPU: { total: 4 }, VCPU: { total: null } })).toBe(true)
  for (const value of [
    null,
    [],
    'VGPU',
    { VGPU: null },
    { VGPU: { total: '4' } },
    { VGPU: { total: 4, used: 1 } },
    JSON.parse('{"__proto__": {"total": 4}}'),
  ])
    expect(isUsual(value)).toBe(false)
})
