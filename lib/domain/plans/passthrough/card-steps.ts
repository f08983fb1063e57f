import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { classOfEntry, entryText, specFor } from '@/lib/domain/cloud/pci-layout'
import { pciProviderName } from '@/lib/domain/cloud/provider-name'
import { pciClass } from '@/lib/domain/nova-config/pci-names'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { heredoc, sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { doerOf } from '../host-steps/host-steps'
import type { CardTask, VerifyWholeTask } from '../host-steps/tasks'
import { typedVfs } from '../host-steps/vfio/vfio-draft'
import { setTypeSteps } from '../host-steps/vfio/vfio-steps'
import { type PassthroughDraft, SLICING_DRIVER, sisterFunctions } from './draft'
import { aliasesFor, cardFunction } from './pci-after'
import type { PassthroughStep } from './tasks'

const DEVICES = '/sys/bus/pci/devices'

/** The command that binds a function manually; the override comes first, so that no other driver takes it in between. */
const bindLines = (address: string, from: string | null, to: string): Encoded<'shell'>[] => [
  sh`modprobe ${shellWord(to)}`,
  sh`echo ${shellWord(to)} > ${shellWord(`${DEVICES}/${address}/driver_override`)}`,
  ...(from === null
    ? []
    : [sh`echo ${shellWord(address)} > ${shellWord(`${DEVICES}/${address}/driver/unbind`)}`]),
  sh`echo ${shellWord(address)} > /sys/bus/pci/drivers_probe`,
]

const bindStep = (
  draft: PassthroughDraft,
  {
    pgpuAddress,
    address,
    from,
    to,
  }: { pgpuAddress: string; address: string; from: string | null; to: string },
): PassthroughStep => {
  const host = draft.joined.host.name
  const was = from ?? 'no driver'
  const call = (now: string | null, next: string | null) =>
    sh`bind_driver ${shellArguments([host, address, now ?? 'none', next ?? 'none'])}`
  return {
    id: `bind-driver/${host}/${address}`,
    title: `Bind ${host} ${address} to ${to}`,
    doer: doerOf(draft, 'bind-pci-driver'),
    calls: bindLines(address, from, to),
    command: call(from, to),
    undoCommand: call(to, from),
    sees: `${address} is bound to ${was}.`,
    precondition: 'No running or shut-off guest names it, and it has no mdev and no VFs.',
    check: `The host's report has ${to} as the driver of ${address}.`,
    undo: `Binds it to ${was} again, if no guest names it.`,
    task: { kind: 'bind-driver', host, pgpuAddress, address, from, to },
  }
}

/** NVIDIA's script; a raw write to sriov_numvfs is refused by its driver. */
const vfStep = (draft: PassthroughDraft, { pgpu }: JoinedPgpu, isOn: boolean): PassthroughStep => {
  const host = draft.joined.host.name
  const { address } = pgpu
  const count = pgpu.virtualFunctions.length
  const call = (on: boolean) => sh`switch_vfs ${shellArguments([host, address, on ? '-e' : '-d'])}`
  return {
    id: `switch-vfs/${host}/${address}`,
    title: isOn ? `Enable the VFs of ${host} ${address}` : `Disable the VFs of ${host} ${address}`,
    doer: doerOf(draft, 'run-sriov-manage'),
    calls: [sh`/usr/lib/nvidia/sriov-manage ${shellArguments([isOn ? '-e' : '-d', address])}`],
    command: call(isOn),
    undoCommand: call(!isOn),
    sees: isOn
      ? 'The card supports VFs, which carry its vGPUs. A program that uses the driver at the same time, for example nvidia-smi in a loop, blocks the script.'
      : `The card has ${formatNoun(count, 'VF')}, which need its driver. A program that uses the driver at the same time, for example nvidia-smi in a loop, blocks the script.`,
    precondition: isOn
      ? `${address} is bound to ${SLICING_DRIVER}.`
      : 'No VF has an mdev or a vGPU type, and no running or shut-off guest names a VF.',
    check: `The host's report has ${isOn ? 'VFs' : 'no VFs'} of ${address}.`,
    undo: isOn
      ? 'Disables them again once they are unused.'
      : 'Enables them again. Other steps restore mdevs and types.',
    task: { kind: 'switch-vfs', host, address, isOn },
  }
}

/** VFs keep the driver of their card, so that they go before it; vGPUs of a card that can have VFs need them back. */
export const vfSteps = (draft: PassthroughDraft): PassthroughStep[] =>
  draft.targets.flatMap(({ entry }) => {
    const { pgpu } = entry
    if (draft.to === 'whole') return pgpu.virtualFunctions.length > 0 ? [vfStep(draft, entry, false)] : []
    const gpu = draft.joined.host.inventory.gpus.find(({ address }) => address === pgpu.address)
    const canHave = (gpu?.sriov?.totalVfs ?? 0) > 0
    return canHave && pgpu.virtualFunctions.length === 0 ? [vfStep(draft, entry, true)] : []
  })

/** Types of vendor VFIO come off before the VFs that carry them go. */
export const clearTypeSteps = (draft: PassthroughDraft): PassthroughStep[] =>
  draft.to === 'whole'
    ? setTypeSteps(
        draft.joined,
        draft.targets.map(({ entry, to }) => ({ entry, to, clear: typedVfs(draft.joined, entry), set: [] })),
      )
    : []

/** The card and, on the way to passthrough, its other functions. */
export const bindSteps = (draft: PassthroughDraft): PassthroughStep[] =>
  draft.targets.flatMap(({ entry }) => {
    const pgpuAddress = entry.pgpu.address
    const to = draft.to === 'whole' ? 'vfio-pci' : SLICING_DRIVER
    const sisters = draft.to === 'whole' ? sisterFunctions(draft.joined, entry) : []
    const functions = [...sisters, { address: pgpuAddress, driver: entry.pgpu.driver }]
    return functions
      .filter(({ driver }) => driver !== to)
      .map(({ address, driver }) => bindStep(draft, { pgpuAddress, address, from: driver, to }))
  })

const providerOf = ({ joined, pci }: PassthroughDraft, entry: JoinedPgpu): VerifyWholeTask['provider'] => {
  const spec = specFor(pci.after, cardFunction(entry))
  if (!pci.after.isInPlacement || spec === null) return null
  const { address, vendorId, deviceId } = entry.pgpu
  return {
    address,
    name: pciProviderName({
      hypervisorHostname:
        joined.root.value?.name ?? joined.hypervisor.value?.hypervisorHostname ?? joined.host.name,
      address,
    }),
    resourceClass: classOfEntry(spec) ?? pciClass(undefined, { vendorId, productId: deviceId }) ?? '',
  }
}

/** Hardware and nova.conf agree that the card is in passthrough, and Placement too if Nova reports PCI devices to it. */
export const verifyWholeSteps = (draft: PassthroughDraft): PassthroughStep[] =>
  draft.targets.map(({ entry }) => {
    const host = draft.joined.host.name
    const { address } = entry.pgpu
    const provider = providerOf(draft, entry)
    const aliases = aliasesFor(draft.joined, draft.pci.after, entry)
    return {
      id: `verify-whole/${host}/${address}`,
      title: `Check that ${host} ${address} can be assigned as ${listText(aliases) || 'a whole card'}`,
      doer: 'console',
      calls:
        provider === null
          ? [sh`readlink ${shellWord(`${DEVICES}/${address}/driver`)}`]
          : [
              sh`readlink ${shellWord(`${DEVICES}/${address}/driver`)}`,
              http`GET /resource_providers/<uuid of ${httpPart(provider.name)}>/inventories`,
            ],
      command:
        provider === null
          ? sh`expect_driver ${shellArguments([host, address])} vfio-pci`
          : sh`expect_driver ${shellArguments([host, address])} vfio-pci\nexpect_total ${shellWord(provider.resourceClass)} 1 ${shellWord(provider.name)}`,
      undoCommand: sh`:`,
      sees:
        provider === null
          ? "Nova counts the card in its own PCI tracker, which no API exposes: report_in_placement is off. The first server shows whether Nova's API and scheduler have the alias."
          : `Nova reports PCI devices in Placement: the expected inventory of ${provider.name} is ${provider.resourceClass} 1.`,
      precondition: 'nova-compute has read its configuration.',
      check: `The report has vfio-pci as driver, an isolated IOMMU group, a device_spec that names the card${provider === null ? '' : ', and Placement has it'}.`,
      undo: 'Waits until no server holds the card.',
      task: { kind: 'verify-whole', host, address, aliases, provider },
    }
  })

/** The driver that slices has the card again, and nova.conf hands it out no more. */
export const verifySlicedSteps = (draft: PassthroughDraft): PassthroughStep[] =>
  draft.targets.map(({ entry }) => {
    const host = draft.joined.host.name
    const { address } = entry.pgpu
    return {
      id: `verify-sliced/${host}/${address}`,
      title: `Check that ${host} ${address} is bound to ${SLICING_DRIVER}`,
      doer: 'console',
      calls: [sh`readlink ${shellWord(`${DEVICES}/${address}/driver`)}`],
      command: sh`expect_driver ${shellArguments([host, address, SLICING_DRIVER])}`,
      undoCommand: sh`:`,
      sees: 'This change sets no vGPU type. Use "Change type" afterwards.',
      precondition: 'The driver is bound to the card.',
      check: `The report has ${SLICING_DRIVER} as driver, and no device_spec names the card.`,
      undo: 'Waits until the card has no vGPU.',
      task: { kind: 'verify-sliced', host, address, driver: SLICING_DRIVER },
    }
  })

/** What holds of the cards once the change is through. */
export const cardTasks = (draft: PassthroughDraft): CardTask[] =>
  (draft.to === 'whole' ? verifyWholeSteps(draft) : verifySlicedSteps(draft)).flatMap(({ task }) =>
    task.kind === 'verify-whole' || task.kind === 'verify-sliced' ? [task] : [],
  )

/** The alias on each host of Nova's API that has an agent. Nova's API refuses an unknown alias. */
export const awaitAliasSteps = (
  drafts: readonly PassthroughDraft[],
  apiHosts: readonly string[],
): PassthroughStep[] => {
  const added = new Map<string, Encoded<'nova-conf'>>()
  for (const { pci } of drafts)
    for (const { entry } of pci.after.aliases.filter((alias) => !pci.before.aliases.includes(alias)))
      if (typeof entry.name === 'string') added.set(entry.name, entryText(entry))
  return apiHosts.flatMap((host) =>
    [...added].map(
      ([alias, line]): PassthroughStep => ({
        id: `await-alias/${host}/${alias}`,
        title: `Check that Nova's API on ${host} has the alias ${alias}`,
        doer: 'console',
        calls: [novaConf`[pci]`, novaConf`alias = ${line}`],
        command: heredoc(
          sh`edit_nova_conf ${shellWord(`${host}, of nova-api, and restart nova-api`)}`,
          novaConf`[pci]\nalias = ${line}`,
        ),
        undoCommand: sh`:`,
        sees: `The agent of ${host} reads nova.conf of nova-api.`,
        precondition: 'The alias of the compute host is known.',
        check: `The report of ${host} has the alias ${alias} in nova.conf of nova-api.`,
        undo: 'None: an unused alias does no harm. Remove it manually.',
        task: { kind: 'await-alias', host, alias, line },
      }),
    ),
  )
}
