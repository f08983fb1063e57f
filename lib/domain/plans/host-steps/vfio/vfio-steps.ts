import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import {
  isOwnChange,
  isSamePci,
  ownFileText,
  PCI_DROP_IN,
  type PciLayout,
  pciText,
} from '@/lib/domain/cloud/pci-layout'
import { unreadDropIn } from '@/lib/domain/nova-config/layout/drop-in-order'
import { type Encoded, encodedLines } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { heredoc, sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { doerOf, lostDropInOf, novaStartOf } from '../host-steps'
import type { HostStep, VerifyTask } from '../tasks'
import { pciProviderFor, type VfioDraft, type VfioTarget } from './vfio-draft'

const fileOf = (address: string): string => `/sys/bus/pci/devices/${address}/nvidia/current_vgpu_type`

type Write = { address: string; from: number; to: number; fromName: string; toName: string }

const setTypeStep = (
  joined: JoinedHost,
  { entry }: Pick<VfioTarget, 'entry'>,
  { address, from, to, fromName, toName }: Write,
): HostStep => {
  const host = joined.host.name
  const isClearing = to === 0
  const command = (was: number, next: number): Encoded<'shell'> =>
    sh`set_vfio_type ${shellArguments([host, address])} ${was} ${next}`
  return {
    id: `set-vfio-type/${host}/${address}/${to}`,
    title: isClearing ? `Remove ${fromName} from ${host} ${address}` : `Set ${toName} on ${host} ${address}`,
    doer: doerOf({ joined }, 'set-vfio-type'),
    calls: [sh`echo ${to} > ${shellWord(fileOf(address))}`],
    command: command(from, to),
    undoCommand: command(to, from),
    sees: isClearing
      ? `The VF has the type ${from} (${fromName}). While any VF has this type, the driver creates no type of another size on the card.`
      : 'The VF has no type after the types of the card are removed.',
    precondition: isClearing
      ? 'No guest names the VF, running or shut off, and it still has that type.'
      : `No guest names the VF, it has no type, and creatable_vgpu_types of it names ${toName}.`,
    check: `The host's report has ${to} in current_vgpu_type of ${address}.`,
    undo: isClearing
      ? `Writes ${from} again, once no VF of the card has another size.`
      : 'Writes 0, if no guest names the VF.',
    task: {
      kind: 'set-vfio-type',
      host,
      pgpuAddress: entry.pgpu.address,
      address,
      from,
      to,
      fromName,
      toName,
    },
  }
}

/** Every old type is removed from a card before the first new one is set: the driver mixes no sizes on it. */
export const setTypeSteps = (
  joined: JoinedHost,
  targets: readonly (Pick<VfioTarget, 'entry' | 'to' | 'clear' | 'set'> & { toNumber?: number })[],
): HostStep[] =>
  targets.flatMap((target) => {
    const { clear, set, to, toNumber = 0 } = target
    return [
      ...clear.map(({ address, typeNumber, typeName }) =>
        setTypeStep(joined, target, {
          address,
          from: typeNumber,
          to: 0,
          fromName: typeName,
          toName: 'no type',
        }),
      ),
      ...set.map((address) =>
        setTypeStep(joined, target, {
          address,
          from: 0,
          to: toNumber,
          fromName: 'no type',
          toName: to.shortName,
        }),
      ),
    ]
  })

const editCommand = (host: string, layout: PciLayout): Encoded<'shell'> =>
  heredoc(sh`edit_pci_conf ${shellWord(host)}`, pciText(layout))

/** Whether nova.conf has to change: which VFs, and of what class. */
export const changesPci = ({ joined, before, after }: VfioDraft): boolean => !isSamePci(joined, before, after)

/** Why the agent's file would count for nothing: of [pci] every line counts, so no other file can win over it. */
export const unreadPciOf = (draft: VfioDraft): string | null => lostDropInOf(draft, unreadDropIn)

/** The VFs that carry a type stand in device_spec, with the class of it. */
export const writePciStep = (draft: VfioDraft): HostStep => {
  const { joined, before, after } = draft
  const host = joined.host.name
  const isOwn = isOwnChange(before, after)
  const unread = unreadPciOf(draft)
  const sees = [
    `nova.conf has ${formatNoun(before.specs.length, 'device_spec')}${isOwn ? '' : ', and those to remove are in files that the console did not write: every line applies, so remove them manually'}.`,
    unread ?? [],
  ].flat()
  return {
    id: `write-config/${host}`,
    title: `Write the VFs of the new type to [pci] of ${host}`,
    doer: isOwn && unread === null ? doerOf(draft, 'write-nova-config') : 'operator',
    calls: encodedLines(pciText(after)),
    command: editCommand(host, after),
    undoCommand: editCommand(host, before),
    sees: sees.join(' '),
    precondition: '[pci] of nova.conf is unchanged since planning.',
    check: "The host's report has these VFs with this class in [pci] device_spec, and the alias.",
    undo: 'Restores [pci] to its state at planning. nova-compute is then restarted to read it.',
    task: {
      kind: 'write-pci-config',
      host,
      before,
      after,
      ownBefore: ownFileText(before),
      ownAfter: ownFileText(after),
      file: PCI_DROP_IN,
      startedAt: novaStartOf(draft),
    },
  }
}

const taskOf = (
  { joined, after }: VfioDraft,
  { entry, to, keep, set, resourceClass, formerClass }: VfioTarget,
): VerifyTask => ({
  kind: 'verify-pgpu',
  host: joined.host.name,
  address: entry.pgpu.address,
  typeId: to.typeId,
  typeName: to.shortName,
  resourceClass:
    resourceClass ?? formerClass ?? `CUSTOM_PCI_${entry.pgpu.vendorId}_${entry.pgpu.deviceId}`.toUpperCase(),
  total: keep.length + set.length,
  rootName: joined.root.value?.name ?? joined.host.name,
  providers: [pciProviderFor(joined, entry)],
  vfio: { functions: [...keep, ...set].toSorted(), isInPlacement: after.isInPlacement },
})

/** What is expected of each card once nova-compute has read the new entries. */
export const vfioVerifyTasks = (draft: VfioDraft): VerifyTask[] =>
  draft.targets.map((target) => taskOf(draft, target))

/** What Placement had of each card before. */
export const vfioFormerTasks = (draft: VfioDraft): VerifyTask[] =>
  draft.targets.map((target) => {
    const task = taskOf(draft, target)
    const resourceClass = target.formerClass ?? task.resourceClass
    const inventory = target.entry.providers.find(({ kind }) => kind === 'pci')?.provider.inventories
    const { [resourceClass]: former } = inventory ?? {}
    return { ...task, resourceClass, total: former?.total ?? former?.capacity ?? 0 }
  })

/** Driver and Placement agree on the new type, as far as Placement knows of PCI devices. */
export const verifyVfioStep = (task: VerifyTask): HostStep => {
  const { host, address, typeName, typeId, resourceClass, total, providers, vfio } = task
  const [name = ''] = providers.map((provider) => provider.name)
  const isInPlacement = vfio?.isInPlacement === true
  const look = sh`expect_vfio_types ${shellArguments([host, typeId.replace(/^\D+/, ''), ...(vfio?.functions ?? [])])}`
  return {
    id: `verify-pgpu/${host}/${address}`,
    title: isInPlacement
      ? `Check that Placement reports ${resourceClass} total ${total} for ${host} ${address}`
      : `${formatNoun(total, 'VF')} of ${host} ${address} ${total === 1 ? 'has' : 'have'} ${typeName}`,
    doer: 'console',
    calls: isInPlacement
      ? [
          http`GET /resource_providers?in_tree=<${httpPart(task.rootName)}>`,
          http`GET /resource_providers/<uuid of ${httpPart(name)}>/inventories`,
        ]
      : (vfio?.functions ?? []).map((each) => sh`cat ${shellWord(fileOf(each))}`),
    command: isInPlacement
      ? sh`${look}\nexpect_total ${shellWord(resourceClass)} ${total} ${shellWord(name)}`
      : look,
    undoCommand: isInPlacement ? sh`expect_unused ${shellWord(name)}` : sh`:`,
    sees: `The card holds ${total} of ${typeName}.${isInPlacement ? '' : ' nova.conf does not report PCI devices in Placement, so only the VFs are checked.'}`,
    precondition: isInPlacement
      ? 'nova-compute has read its configuration; it writes to Placement at its start and every minute.'
      : 'The types are written.',
    check: `${formatNoun(total, 'VF has', 'VFs have')} ${typeId} in current_vgpu_type${isInPlacement ? `, and the provider of ${address} offers ${resourceClass} ${total} and nothing else` : ''}. Types are lost at a reboot: the unit under “For your deployment” sets them again.`,
    undo: 'Waits until no server holds a VF of the card.',
    task,
  }
}
