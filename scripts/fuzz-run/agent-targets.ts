import { fact, plainLine } from '@/agent/collect/clean-text'
import { readGuestXml } from '@/agent/collect/guest-xml'
import type { HostFiles } from '@/agent/collect/host-files'
import { canonicalAddress, countFrom } from '@/agent/collect/identifiers'
import { readMdevDefinitions } from '@/agent/collect/mdev-definitions'
import { mountOf, mountsOf, onHost } from '@/agent/collect/mounts'
import { createProblemLog } from '@/agent/collect/problem-log'
import { parseGpuInstances } from '@/agent/collect/smi-instances'
import { parseSmiTable } from '@/agent/collect/smi-table'
import { parseUsage } from '@/agent/collect/smi-usage'
import { verifyOrder } from '@/agent/execute/verify-order'
import { readOutcome } from '@/agent/http/outcome'
import { parseEntryName } from '@/agent/spool/spool-entry'
import { attributesOf, readXml } from '@/agent/xml/read-xml'
import { XmlError } from '@/agent/xml/xml-error'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { acknowledgementSchema } from '@/lib/schemas/agent/report'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import { renderHostTree } from '@/simulator/host-tree/render-host-tree'
import type { FuzzTarget } from './target'

const never = (): boolean => false

/** What the simulated hosts have in files whose path matches, each text once. */
const textsOf = (path: RegExp): string[] => {
  const texts = Object.values(FIXTURE_HOSTS).flatMap((spec) =>
    [...renderHostTree(spec)].flatMap(([at, entry]) =>
      entry.kind === 'file' && path.test(at) && entry.content.length < 20_000 ? [entry.content] : [],
    ),
  )
  return [...new Set(texts)].slice(0, 24)
}

/** A host of which every file holds one text. */
const filesOf = (text: string): HostFiles =>
  ({
    text: () => text,
    names: (path: string) =>
      path.split('/').length > 3 ? ['00000000-0000-4000-8000-000000000001', 'a'] : ['0000:41:00.0'],
  }) as unknown as HostFiles

const readMounts = (text: string): unknown => {
  const mounts = mountsOf('1', filesOf(text)) ?? []
  const mount = mountOf('/etc/nova/nova.conf', mounts)
  return [mounts.length, mount === null ? null : onHost('/etc/nova/nova.conf', mount, mounts)]
}

const KEY = 'A'.repeat(43)
const now = new Date('2026-11-22T10:00:00.000Z')

const readAnswer = (text: string): unknown => {
  const headers = { 'retry-after': text.slice(0, 64), date: now.toUTCString() }
  const outcome = readOutcome({ status: 200, headers, text }, acknowledgementSchema, now)
  const refusal = readOutcome({ status: 429, headers, text }, acknowledgementSchema, now)
  const order = verifyOrder({ order: text, signature: KEY }, { key: null, hostName: 'cmp-01', now })
  return [outcome, refusal, order, parseEntryName(text)]
}

export const AGENT_TARGETS: FuzzTarget[] = [
  {
    name: 'guest-xml',
    seeds: () => textsOf(/qemu\/.*\.xml$/),
    read: readGuestXml,
    isRefusal: (error) => error instanceof XmlError,
  },
  {
    name: 'xml',
    seeds: () => [
      '<a b="c" d=\'e\'>f&lt;<![CDATA[g]]><!-- h --><i/></a>',
      ...textsOf(/qemu\/.*\.xml$/).slice(0, 3),
    ],
    read: (text) => {
      const root = readXml(text)
      return [root, attributesOf(root)]
    },
    isRefusal: (error) => error instanceof XmlError,
  },
  { name: 'nova-conf', seeds: () => textsOf(/nova.*\.conf$/), read: parseOsloConfig, isRefusal: never },
  {
    name: 'nvidia-smi',
    seeds: () => textsOf(/commands\/.*smi/),
    read: (text) => [
      parseUsage({ gpuText: text, vgpuText: text }),
      parseSmiTable(text),
      parseGpuInstances(text),
    ],
    isRefusal: never,
  },
  {
    name: 'mdevctl',
    seeds: () => ['{"mdev_type":"nvidia-35","start":"auto","attrs":[]}', ...textsOf(/mdevctl\.d\//)],
    read: (text) =>
      readMdevDefinitions('/etc/mdevctl.d', { files: filesOf(text), problems: createProblemLog() }),
    isRefusal: never,
  },
  {
    name: 'mountinfo',
    seeds: () => [
      '36 35 98:0 / /etc/nova rw,noatime master:1 - ext3 /dev/root rw\n',
      '40 35 0:51 / / rw - overlay overlay rw,lowerdir=/a,upperdir=/b\\040c,workdir=/d\n',
      ...textsOf(/mountinfo$/),
    ],
    read: readMounts,
    isRefusal: never,
  },
  {
    name: 'sysfs',
    seeds: () => ['00000000:F4:00.0', '12', ...textsOf(/(description|creatable_vgpu_types|uevent)$/)],
    read: (text) => [fact(text), plainLine(text, 200), canonicalAddress(text), countFrom(text)],
    isRefusal: never,
  },
  {
    name: 'console-answer',
    seeds: () => [
      '{"intervalSeconds":30,"isApplied":true,"samplesEverySeconds":300}',
      '{"error":{"code":"rate_limited","message":"Later."}}',
      '120',
      'Sun, 22 Nov 2026 10:00:00 GMT',
      '0000000001-0000000002.json.gz',
    ],
    read: readAnswer,
    isRefusal: never,
  },
]
