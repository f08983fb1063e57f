import { createLoader } from 'nuqs/server'
import { capacitySearchParams } from '@/components/capacity/capacity-search-params'
import { findingSearchParams } from '@/components/finding/finding-search-params'
import { fitSearchParams } from '@/components/fit/fit-search-params'
import { gpuHeadroomParams, readKeep } from '@/components/gpu-headroom/keep-params'
import { gpuSearchParams } from '@/components/gpus/gpu-search-params'
import { readIds, reservationParams } from '@/components/reservation/reservation-params'
import { describeHost } from '@/lib/domain/host/describe-host'
import { assignTypes } from '@/lib/domain/nova-config/assign-types'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { readDeviceSpecs } from '@/lib/domain/nova-config/device-spec'
import { readMdevConfig } from '@/lib/domain/nova-config/mdev-config'
import { parseAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import { readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { readShortPattern } from '@/lib/domain/nova-config/short-pattern'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { gvtgHost, migHost, mttyHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { parseCreatableLine } from '@/lib/domain/vgpu-type/creatable-line'
import { parseTypeDescription } from '@/lib/domain/vgpu-type/parse-description'
import { commandResultSchema } from '@/lib/schemas/agent/command'
import { encodeReportJson } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { digestSchema } from '@/lib/schemas/agent/primitives'
import { readProviderConfig } from '@/lib/schemas/agent/provider-config'
import { enrollRequestSchema, parsePosition, parseWatched } from '@/lib/schemas/agent/report'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import { samplesSchema } from '@/lib/schemas/agent/samples'
import { unpackedBytes } from '@/lib/server/agent-api/inflate'
import { AgentError } from '@/lib/server/errors/agent-error'
import { parseInput } from '@/lib/server/errors/parse-input'
import { isServiceError } from '@/lib/server/errors/service-error'
import { readCredential, readJoinToken } from '@/lib/server/secrets/agent-secrets'
import { readCookie } from '@/lib/server/session/cookies'
import { parseReport } from '@/lib/services/report/parse-report'
import { checkShape } from '@/lib/services/report/read-message'
import { reportHead, reportText } from '@/lib/services/report/testing/sent-report'
import { safeNext } from '@/lib/util/paths'
import { isTimeZone } from '@/lib/util/zone-offset'
import { jsonTarget } from './json-target'
import type { FuzzTarget } from './target'

const isRefusal = (error: unknown): boolean =>
  error instanceof AgentError || (isServiceError(error) && error.code === 'validation')
const never = (): boolean => false

/** Small hosts of every framework: large seeds make slow rounds. */
const small = (inventory: Inventory): Inventory => ({
  ...inventory,
  gpus: inventory.gpus
    .slice(0, 1)
    .map((gpu) => ({ ...gpu, virtualFunctions: gpu.virtualFunctions.slice(0, 2) })),
})
const hosts = (): Inventory[] =>
  [t4SeedHost(), vendorVfioHost(), migHost(), gvtgHost(), mttyHost()].map(small)

const SECOND = { boot: 1, sequence: 2 }
const headOf = (inventory: Inventory) => reportHead(inventory, SECOND)
const reportOf = (inventory: Inventory): string => reportText(inventory, SECOND)
/** Of an agent whose contract is newer, whose unknown members are left out. */
const newerReportOf = (inventory: Inventory): string => {
  const grown: Inventory = { ...inventory, host: { ...inventory.host, ...{ ofTheNext: { rack: [7] } } } }
  const head = { ...headOf(grown), contractRevision: CONTRACT_REVISION + 1 }
  return encodeReportJson({ ...head, inventory: grown })
}
const reports = (): string[] =>
  hosts().flatMap((inventory) => [reportOf(inventory), newerReportOf(inventory)])

const readAndDescribe = (text: string): unknown => {
  const { inventory } = parseReport(Buffer.from(text))
  return [inventory, describeHost(inventory)]
}

/** The inventory's own text, so that a changed one has the right digest. */
const readCanonical = (text: string): unknown => {
  const inventory = JSON.parse(text) as Inventory
  checkShape(inventory)
  return readAndDescribe(reportOf(inventory))
}

const readNovaConf = (text: string): unknown => {
  const config = novaConf(text)
  const mdev = readMdevConfig(config)
  return [
    describeNovaOptions(config),
    mdev,
    assignTypes(mdev),
    readDeviceSpecs(config),
    readPciAliases(config),
  ]
}

const loaders = [
  capacitySearchParams,
  reservationParams,
  findingSearchParams,
  fitSearchParams,
  gpuHeadroomParams,
  gpuSearchParams,
].map((params) => createLoader(params as typeof gpuSearchParams))

/** Where a sign-in leads, which is nowhere else. */
const readNext = (text: string): string => {
  const next = safeNext(text)
  if (/^\/[/\\]|^[^/]/.test(next)) throw new Error(`a sign-in leads to ${next}`)
  return next
}

const readQuery = (text: string): unknown => {
  const params = new URLSearchParams(text)
  const read = loaders.map((load) => load(params))
  return [
    read,
    readIds(text),
    readKeep(text),
    readNext(text),
    isTimeZone(text.slice(0, 64)),
    readCookie(text, 'a'),
  ]
}

export const CONSOLE_TARGETS: FuzzTarget[] = [
  { name: 'report', seeds: reports, read: readAndDescribe, isRefusal },
  {
    name: 'canonical-report',
    seeds: () => hosts().map((host) => JSON.stringify(host)),
    read: readCanonical,
    isRefusal: (error) => isRefusal(error) || error instanceof SyntaxError || error instanceof TypeError,
  },
  {
    name: 'gzip',
    seeds: () => ['\u001f\u008b\u0008\0\0\0\0\0\0\u0003\u0003\0\0\0\0\0\0\0\0\0'],
    read: (text) => unpackedBytes(Buffer.from(text, 'latin1'), 1_000_000),
    isRefusal,
  },
  jsonTarget({
    name: 'enrolment',
    seeds: () => [{ contractVersion: 1, hostName: 'cmp-01', agentVersion: '0.1.0' }],
    read: (value) => parseInput(enrollRequestSchema, value),
    isRefusal,
  }),
  jsonTarget({
    name: 'command-result',
    seeds: () => [
      {
        id: '00000000-0000-4000-8000-000000000001',
        outcome: 'done',
        message: 'Made.',
        output: '',
        previous: null,
      },
    ],
    read: (value) => parseInput(commandResultSchema, value),
    isRefusal,
  }),
  jsonTarget({
    name: 'samples',
    seeds: () => [
      {
        contractVersion: 1,
        begin: '2026-11-22T10:00:00.000Z',
        at: [0, 60],
        gpus: [
          { address: '0000:41:00.0', totalMib: 16384, utilisation: [1, 2], usedMib: [3, null], vgpus: [] },
        ],
      },
    ],
    read: (value) => parseInput(samplesSchema, value),
    isRefusal,
  }),
  {
    name: 'headers',
    seeds: () => [
      '1.2',
      '86400000+350',
      '2026-11-22T10:00:00.000Z',
      `sbac_1_${'A'.repeat(43)}`,
      `sbjt_${'A'.repeat(43)}`,
    ],
    read: (text) => [
      parsePosition(text),
      parseWatched(text),
      digestSchema.safeParse(text).success,
      readCredential(text),
      readJoinToken(text),
    ],
    isRefusal: never,
  },
  {
    name: 'nova-options',
    seeds: () => [
      '[devices]\nenabled_mdev_types = nvidia-35, nvidia-36\n[mdev_nvidia-35]\ndevice_addresses = 0000:84:00.0\nmax_instances = 4\n',
      '[pci]\ndevice_spec = {"vendor_id":"10de","address":"0000:84:*.*","managed":"no"}\nalias = {"name":"a","product_id":"1eb8","device_type":"type-PF"}\n',
      '[compute]\ncpu_shared_set = 1-4,^3,8\nprovider_config_location = /etc/nova/p/\n',
    ],
    read: readNovaConf,
    isRefusal: never,
  },
  {
    name: 'address-pattern',
    seeds: () => ['.*', '0[0-3]', '(?:0a|[^1-9b-f]){1,2}?$', '^\\d{2}', '(?:(?:a?){9}){99}', '(?:.?){99}x'],
    read: (text) =>
      ['0000', '0a', '7', ''].map((field) => readShortPattern(text.slice(0, 64))?.(field) ?? null),
    isRefusal: never,
  },
  {
    name: 'host-texts',
    seeds: () => [
      'num_heads=4, frl_config=60, framebuffer=4096M, max_resolution=7680x4320, max_instance=4',
      'low_gm_size: 128MB\nhigh_gm_size: 512MB\nfence: 4\nresolution: 1920x1200\nweight: 4\n',
      '1145  : NVIDIA L40S-1B',
      '1-4,^3,8',
      'alias = {"name":"a","product_id":"1eb8"}\n',
      "# Written by Sliceboard.\nmeta:\n  schema_version: '1.0'\nproviders:\n  - identification:\n      name: 'a_pci_0000_41_00_0'\n",
    ],
    read: (text) => [
      parseTypeDescription(text),
      parseCreatableLine(text),
      parseCpuSet(text),
      parseAliasLines(text),
      readProviderConfig(text),
    ],
    isRefusal: never,
  },
  {
    name: 'query',
    seeds: () => [
      'q=a&model=Tesla+T4&model=A40&type=nvidia-35&holds=spare&group=model&sort=host&desc=true&cloud=lab',
      'by=type&days=30&from=2026-11-01T00:00:00.000Z&until=2026-11-22&compare=own&zone=Europe/Paris',
      '/gpus?next=/a',
      '/a/..//b/./c',
      'a=1; b=2',
      '1:2,3:4',
    ],
    read: readQuery,
    isRefusal: never,
  },
]
