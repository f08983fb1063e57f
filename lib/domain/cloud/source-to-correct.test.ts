import { expect, test } from 'vitest'
import { detectCloudFindings } from '@/lib/domain/findings/cloud/registry'
import type { Finding } from '@/lib/domain/findings/finding'
import { describeSources } from '@/lib/domain/fit/describe-sources'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editList,
  editNovaConf,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { inventoryOf, mdevProvider, readPart } from '@/lib/domain/testing/build-cloud'
import { novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { vfOf } from '@/lib/domain/testing/offers'
import type { FleetFacts } from './fleet-types'
import { joinFleet } from './join-fleet'

const UUID = uuidOf(0x80_0000)

/** All 32 VFs of the A40 in Placement. */
const promised = (nova = ''): FleetFacts => {
  const input = a40Cloud()
  const providers = input.facts.providers.value ?? []
  const [root] = providers
  if (root === undefined) throw new Error('the cloud has a compute node')
  const rest = Array.from({ length: 20 }, (_, n) =>
    mdevProvider(root, {
      address: vfOf('0000:20:00.0', 12 + n),
      n: 12 + n,
      traits: ['CUSTOM_A40_4Q'],
      inventories: { VGPU: inventoryOf(1, 0) },
    }),
  )
  return editHosts(withFacts(input, { providers: readPart([...providers, ...rest]) }), (inventory) => ({
    ...inventory,
    novaConfig: novaConf(`[devices]\nenabled_mdev_types = nvidia-560\n${nova}`),
  }))
}

const listed = Array.from({ length: 12 }, (_, n) => vfOf('0000:20:00.0', n)).join(',')

const noGuest = (): FleetFacts =>
  editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    guests: (inventory.guests ?? []).filter(({ uuid }) => uuid !== UUID),
  }))

const CLOUDS: Readonly<Record<string, FleetFacts>> = {
  'more VFs than fit': promised(),
  'providers without a pGPU': promised(`[mdev_nvidia-560]\ndevice_addresses = ${listed}`),
  'an old total': editGpuProviders(t4Cloud(), (provider) => ({
    ...provider,
    inventories: { VGPU: inventoryOf(16, 2) },
  })),
  'another type in nova.conf': editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-321'),
  'another type without guests': editHosts(
    editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-321'),
    (inventory) => ({ ...inventory, guests: [] }),
  ),
  'a lost guest': noGuest(),
  'a server elsewhere': editList(noGuest(), 'servers', (server) =>
    server.uuid === UUID ? { ...server, host: 'cmp-9' } : server,
  ),
  'an allocation without a server': editList(noGuest(), 'servers', (server) =>
    server.uuid === UUID ? null : server,
  ),
  'no allocation': editGpuProviders(
    editList(t4Cloud(), 'allocations', (entry) => (entry.consumerUuid === UUID ? null : entry)),
    (provider) => ({ ...provider, inventories: { VGPU: inventoryOf(4, 1) } }),
  ),
  'another class': editNovaConf(
    buildHealthyCloud([{ cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false }]),
    '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = 0000:20:00.0\nmdev_class = CUSTOM_T4',
  ),
  'VFs without a type': l40sCloud({ typed: 1 }),
  'VFs beyond a full card': l40sCloud({ typed: 2, isFull: true }),
}

/** The row of the four sources with the same statement as a finding. */
const ROW_OF: Readonly<Record<string, string>> = {
  'placement-over-promises': 'total',
  'placement-total-old': 'total',
  'vfs-without-type': 'total',
  'placement-class-old': 'class',
  'orphan-mdevs': 'type',
  'used-type-not-configured': 'type',
  'allocation-without-guest': 'used',
  'allocation-without-server': 'used',
  'server-without-allocation': 'used',
}

const COLUMN: Readonly<Record<string, string>> = { 'nova.conf': 'novaConf' }

const oddRows = (input: FleetFacts): Map<string, string> => {
  const fleet = joinFleet(input)
  return new Map(
    fleet.hosts
      .flatMap((joined) => joined.pgpus.map((entry) => describeSources(fleet, joined, entry)))
      .flatMap(({ rows }) => rows)
      .flatMap(({ key, disagree }) => (disagree === null ? [] : [[key, disagree.column] as const])),
  )
}

const judged = (input: FleetFacts): Finding[] =>
  detectCloudFindings(joinFleet(input)).findings.filter(({ code }) => ROW_OF[code] !== undefined)

test.each(Object.entries(CLOUDS))('%s: findings and the four sources blame the same part', (_, input) => {
  const odd = oddRows(input)
  const findings = judged(input)
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.map(({ code }) => [code, odd.get(ROW_OF[code] ?? '')])).toEqual(
    findings.map(({ code, sourceToCorrect }) => [code, COLUMN[sourceToCorrect ?? ''] ?? sourceToCorrect]),
  )
})

test('every finding that a row of the four sources also reports is included', () => {
  const seen = new Set(Object.values(CLOUDS).flatMap((input) => judged(input).map(({ code }) => code)))
  expect([...seen].toSorted()).toEqual(Object.keys(ROW_OF).toSorted())
})
