import { sumProviders } from '@/lib/domain/cloud/advertised'
import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { listText } from '@/lib/domain/wording'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { FindingCommand, Subject } from '../finding'
import { isServerHere, migrateServer, unsetAllocations } from './allocation-commands'
import { cloudReports, type Detected, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'provider-without-device'

type Stale = {
  providers: readonly GpuProvider[]
  subject: Subject
  why: string
  source: 'hardware' | 'nova.conf'
  /** What to repair first, after which the provider is correct again. Null: nothing, the provider is left over. */
  repair: string | null
}

const REPAIR_CARD =
  'Restore the driver of the card or its virtual functions. nova-compute then counts them again. Do not delete the provider: its traits and aggregates would be lost.'
const REPAIR_TYPE = 'Configure a type that the card offers in nova.conf, and restart nova-compute.'

/**
 * nova-compute keeps its providers in memory for `[compute] resource_provider_association_refresh`, and fails where Placement
 * no longer has one (nova/compute/resource_tracker.py _update_to_placement, get_allocations_for_provider_tree).
 */
const RESTART = 'Then restart nova-compute: otherwise it starts no servers for up to 5 minutes.'

const leftOver = (used: number): string =>
  used > 0
    ? `Cold migrate the servers that hold it when their users agree, remove other allocations of it, and delete the resource provider. ${RESTART}`
    : `Delete the resource provider. ${RESTART} It creates the provider again if the device comes back.`

const COUNT = 3

/** Placement refuses to delete a provider with allocations. Removing those of a server here would leave it without a GPU. */
const deletion = (joined: JoinedHost, fleet: Fleet, providers: readonly GpuProvider[]): FindingCommand => {
  const some = providers.slice(0, COUNT)
  const held = groupBy(
    some.flatMap(({ provider }) =>
      (fleet.allocationsByProvider.get(provider.uuid) ?? []).map(({ consumerUuid }) => ({
        consumerUuid,
        provider,
      })),
    ),
    ({ consumerUuid }) => consumerUuid,
  )
  return joinEncoded(
    [
      ...[...held].map(([consumerUuid, entries]) =>
        isServerHere(fleet, joined, consumerUuid)
          ? migrateServer(consumerUuid)
          : unsetAllocations(
              consumerUuid,
              entries.map(({ provider }) => provider),
            ),
      ),
      ...some.map(({ provider }) => sh`openstack resource provider delete ${shellOperands([provider.uuid])}`),
    ],
    ' && ',
  )
}

const findingFor = (
  joined: JoinedHost,
  fleet: Fleet,
  { providers, subject, why, source, repair }: Stale,
): Detected => {
  const { free, used } = sumProviders(providers)
  const names = listText(providers.map(({ provider }) => provider.name))
  const isChosen = free.value !== 0
  return makeFinding({
    code: CODE,
    severity: isChosen ? 'error' : 'warning',
    subject,
    sentence: `${formatNoun(providers.length, 'provider')} in Placement without a device: ${why}`,
    consequence: isChosen
      ? 'The scheduler still selects the provider, and the servers that it sends there fail.'
      : 'Nova never removes the provider, and its allocations cannot be used again.',
    nextStep: repair ?? leftOver(used.value ?? 0),
    command: repair !== null ? null : deletion(joined, fleet, providers),
    sourceToCorrect: repair === null ? 'placement' : source,
    evidence: [
      cloudReports(
        fleet,
        'providers',
        `${names}: ${free.value ?? 'unknown'} free, ${used.value ?? 'unknown'} used`,
      ),
      hostReports(joined, source, why),
    ],
  })
}

const onCard = (joined: JoinedHost, entry: JoinedPgpu): Stale[] => {
  const { pgpu } = entry
  const parents = expectedParents(joined, pgpu.address) ?? []
  const expected = new Map(parents.map((parent) => [parent.address, parent]))
  const subject: Subject = { kind: 'pgpu', host: joined.host.name, address: pgpu.address }
  const mdev = entry.providers.filter(({ kind }) => kind === 'mdev')
  const unnamed = mdev.filter(({ address }) => !expected.has(address))
  const unsupported = mdev.filter(({ address }) => expected.get(address)?.isSupported === false)
  const typeId = parents.find((parent) => !parent.isSupported)?.typeId
  const isOutOfOrder = pgpu.framework === 'none'
  const unnamedWhy = isOutOfOrder
    ? 'the card currently offers no vGPU type'
    : 'nova.conf assigns no vGPU type to the card'
  return [
    ...(unnamed.length === 0
      ? []
      : [
          {
            providers: unnamed,
            subject,
            why: unnamedWhy,
            source: isOutOfOrder ? ('hardware' as const) : ('nova.conf' as const),
            repair: isOutOfOrder ? REPAIR_CARD : null,
          },
        ]),
    ...(unsupported.length === 0
      ? []
      : [
          {
            providers: unsupported,
            subject,
            why: `the card does not offer ${typeId}`,
            source: 'nova.conf' as const,
            repair: REPAIR_TYPE,
          },
        ]),
  ]
}

/** PCI in Placement also holds network cards, which the agent does not report: only NVIDIA's own classes are judged. */
const isOurs = ({ kind, provider }: GpuProvider): boolean =>
  kind === 'mdev' ||
  Object.keys(provider.inventories ?? {}).some((name) => name.startsWith('CUSTOM_PCI_10DE_'))

/** A card of the host on this bus has VFs that are off: what Placement names may come back with them. */
const hasHiddenVfs = ({ host }: JoinedHost, address: string): boolean =>
  host.inventory.gpus.some(
    ({ address: own, sriov, virtualFunctions }) =>
      own.slice(0, 8) === address.slice(0, 8) && (sriov?.totalVfs ?? 0) > virtualFunctions.length,
  )

const strayOf = (joined: JoinedHost): Stale[] => {
  const boards = groupBy(joined.strays.filter(isOurs), ({ address }) => address.slice(0, 7))
  return [...boards.values()].map((providers) => {
    const [first] = providers.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    const addresses = listText(providers.map(({ address }) => address))
    return {
      providers,
      subject: { kind: 'provider', host: joined.host.name, name: first?.provider.name ?? '' },
      why: `the host has no ${addresses}`,
      source: 'hardware',
      repair: providers.every(({ address }) => hasHiddenVfs(joined, address)) ? REPAIR_CARD : null,
    }
  })
}

/**
 * A provider whose device is missing or has no type any more: Nova never deletes it from Placement
 * (nova/virt/libvirt/driver.py _update_provider_tree_for_vgpu).
 */
export const providerWithoutDevice: JoinedHostDetector = {
  code: CODE,
  title: 'A resource provider has no device',
  reference: {
    severities: ['error', 'warning'],
    sources: ['placement', 'hardware', 'nova.conf'],
    detection:
      'Placement, sysfs and nova.conf: a provider belongs to a device that is missing or has no configured vGPU type.',
    consequence:
      'The scheduler may send servers to the provider, and they fail. Nova never removes the provider.',
    nextStep:
      'Repair the driver, the VFs or nova.conf. If the device is permanently gone, cold migrate the servers that hold it, remove other allocations of it, and delete the provider. Then restart nova-compute: otherwise it starts no servers for up to 5 minutes.',
  },
  needs: ['providers'],
  hostNeeds: ['root', 'nova.conf', 'mdevs'],
  detect: (joined, fleet) => {
    const { inventory, name } = joined.host
    const unread = inventory.problems.find(
      (problem) =>
        problem.code !== 'vanished' && /^\/sys\/(bus\/pci|class\/mdev_bus|devices)/.test(problem.source),
    )
    const stale = joined.pgpus.flatMap((entry) => onCard(joined, entry))
    if (unread !== undefined && joined.strays.length > 0)
      return [
        ...stale.map((entry) => findingFor(joined, fleet, entry)),
        { code: CODE, scope: { kind: 'host', host: name }, because: `${unread.source} could not be read` },
      ]
    return [...stale, ...strayOf(joined)].map((entry) => findingFor(joined, fleet, entry))
  },
}
