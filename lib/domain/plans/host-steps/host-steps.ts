import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { providerNameFor } from '@/lib/domain/cloud/occupants'
import { allowsCommand } from '@/lib/domain/host/allows-command'
import { dropInProblem, lostDropIn } from '@/lib/domain/nova-config/layout/drop-in-order'
import { novaSince, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { novaUnitOf } from '@/lib/domain/nova-config/nova-unit'
import { listText } from '@/lib/domain/wording'
import type { CommandName } from '@/lib/schemas/agent/command'
import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import { type Encoded, encodedLines } from '@/lib/util/encode/encoded'
import { http, httpPart } from '@/lib/util/encode/http'
import { heredoc, sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type HostLayout, parentsOfPgpu } from './host-layout'
import { layoutText } from './layout-text'
import type { HostDraft, HostTargets } from './preview'
import type { HostStep, VerifyTask } from './tasks'

const addressesOf = ({ targets }: HostTargets): string[] => targets.map(({ entry }) => entry.pgpu.address)

const onHost = (draft: HostTargets): string =>
  draft.targets.length === 1
    ? `${draft.joined.host.name} ${addressesOf(draft)[0] ?? ''}`
    : `${formatNoun(draft.targets.length, 'pGPU')} of ${draft.joined.host.name}`

/** Nothing holds a vGPU any more: by Placement, by Nova, and by every guest's XML, shut-off ones too. */
export const awaitEmptyStep = (draft: HostTargets): HostStep => {
  const host = draft.joined.host.name
  const providers = draft.targets.flatMap(({ entry }) =>
    entry.providers.map(({ address, kind, provider }) => ({
      address,
      name: kind === 'pci' ? provider.name : providerNameFor(draft.joined, address),
    })),
  )
  return {
    id: `await-empty/${host}`,
    title: `Check that no server holds a vGPU on ${onHost(draft)}`,
    doer: 'console',
    calls: providers.map(({ name }) => http`GET /resource_providers/<uuid of ${httpPart(name)}>/allocations`),
    command: sh`expect_unused ${shellArguments(providers.map(({ name }) => name))}`,
    undoCommand: sh`:`,
    sees: 'The servers of the steps above held vGPUs there.',
    precondition: 'The servers are migrated or deleted, including any that arrived later.',
    check:
      'Placement has no allocation there, and no guest names an mdev or VF of these pGPUs, running or shut off.',
    undo: 'None: the step only checks.',
    task: { kind: 'await-empty', host, addresses: addressesOf(draft), providers },
  }
}

/** The driver offers the new type again, after the old mdevs are removed. */
export const awaitOfferStep = (draft: HostDraft): HostStep => {
  const { targets, joined } = draft
  const host = joined.host.name
  const { typeId, shortName } = targets[0]?.to ?? { typeId: '', shortName: '' }
  const parents = addressesOf(draft).map((address) => parentsOfPgpu(joined, address)[0] ?? address)
  return {
    id: `await-offer/${host}`,
    title: `Check that the driver offers ${shortName} on ${onHost(draft)}`,
    doer: 'console',
    calls: parents.map(
      (parent) =>
        sh`cat ${shellWord(`/sys/class/mdev_bus/${parent}/mdev_supported_types/${typeId}/available_instances`)}`,
    ),
    command: sh`expect_offer ${shellArguments([host, typeId, ...parents])}`,
    undoCommand: sh`:`,
    sees: `${listText(targets.map(({ entry, to }) => `${entry.pgpu.address} can create ${to.creatable ?? 'an unknown number of'}`))}.`,
    precondition: 'No mdev of another type is left on these pGPUs, neither active nor defined.',
    check: `The host's report has ${typeId}/available_instances above 0 on each of them.`,
    undo: 'None: the step only checks.',
    task: { kind: 'await-offer', host, addresses: addressesOf(draft), typeId, typeName: shortName },
  }
}

const editCommand = (host: string, layout: HostLayout): Encoded<'shell'> =>
  heredoc(sh`edit_nova_conf ${shellWord(host)}`, layoutText(layout))

export const doerOf = (
  { joined }: Pick<HostTargets, 'joined'>,
  command: CommandName,
): 'agent' | 'operator' => (allowsCommand(joined.host.inventory, command) ? 'agent' : 'operator')

export const novaStartOf = ({ joined }: Pick<HostTargets, 'joined'>): string | null =>
  joined.host.inventory.host.novaCompute?.startedAt ?? null

/** Why the agent, which may write nova.conf, is not to: its drop-in would count for nothing. Null: it may not, or it counts. */
export const lostDropInOf = ({ joined }: HostTargets, why = lostDropIn): string | null => {
  const { inventory } = joined.host
  return allowsCommand(inventory, 'write-nova-config') ? dropInProblem(inventory.novaConfig, why) : null
}

/** The new types stand in nova.conf. */
export const writeConfigStep = (draft: HostDraft): HostStep => {
  const { joined, before, after } = draft
  const host = joined.host.name
  const lost = lostDropInOf(draft)
  return {
    id: `write-config/${host}`,
    title: `Write the new type to nova.conf of ${host}`,
    doer: lost === null ? doerOf(draft, 'write-nova-config') : 'operator',
    calls: encodedLines(layoutText(after)),
    command: editCommand(host, after),
    undoCommand: editCommand(host, before),
    sees: [`nova.conf names ${listText(before.types.map(({ typeId }) => typeId))}.`, lost ?? []]
      .flat()
      .join(' '),
    precondition: 'nova.conf is unchanged since planning.',
    check: "The host's report has these types for these addresses.",
    undo: 'Restores nova.conf to its state at planning. nova-compute is then restarted to read it.',
    task: { kind: 'write-config', host, before, after, file: DROP_IN_FILE, startedAt: novaStartOf(draft) },
  }
}

/** Placement alone shows that nova-compute has read the new types: every pGPU gets another total or class. */
const isTelling = (after: readonly VerifyTask[], before: readonly VerifyTask[]): boolean =>
  after.length > 0 &&
  after.every((task, index) => {
    const former = before[index]
    return (
      former !== undefined &&
      task.vfio?.isInPlacement !== false &&
      (former.total !== task.total || former.resourceClass !== task.resourceClass)
    )
  })

/** The texts of the step for what nova-compute reads at its start. */
type RestartTexts = {
  sees: string
  precondition: string
  written: string
  read: string
  before: string
  again: string
}

const ofNovaConf = (what: 'types' | 'CPU sets' | 'options'): RestartTexts => ({
  sees: `nova-compute runs with the old ${what}.`,
  precondition: `nova.conf has the new ${what}.`,
  written: 'nova.conf was written',
  read: `the new ${what}`,
  before: 'nova.conf is as before',
  again: `the new ${what}`,
})

const RESTART_TEXTS = {
  types: ofNovaConf('types'),
  'CPU sets': ofNovaConf('CPU sets'),
  options: ofNovaConf('options'),
  'provider config': {
    sees: 'nova-compute reads provider config only at its start.',
    precondition: 'The provider config is written.',
    written: 'the file was written',
    read: 'the new file',
    before: 'the file is as before',
    again: 'the new one',
  },
} as const satisfies Readonly<Record<string, RestartTexts>>

type Restart = {
  direction: 'on' | 'back'
  /** What nova-compute reads at its restart. */
  what?: keyof typeof RESTART_TEXTS
  /** What Placement shows after and before; without them the step does not mention it. */
  after?: readonly VerifyTask[]
  before?: readonly VerifyTask[]
}

/** How long a restart may take; empty where nova-compute ends at once. */
const waitText = ({ nova }: Pick<JoinedHost, 'nova'>): string => {
  const isWaiting = rangeHas(nova?.range ?? null, 'waitsForTasks')
  if (isWaiting === false) return ''
  const what = 'it waits 160 s for its tasks before it ends (manager_shutdown_timeout).'
  return isWaiting === true
    ? ` The restart takes up to four minutes: ${what}`
    : ` From ${novaSince('waitsForTasks')} on, ${what}`
}

/** Nova reads its configuration only at a start of nova-compute. */
export const restartStep = (
  draft: Pick<HostTargets, 'joined'>,
  { direction, what = 'types', after = [], before = [] }: Restart,
): HostStep => {
  const host = draft.joined.host.name
  const isOn = direction === 'on'
  const doer = doerOf(draft, 'restart-nova-compute')
  const words = RESTART_TEXTS[what]
  const unit = novaUnitOf(draft.joined.host.inventory)
  const restart = sh`restart_nova ${shellWord(host)} ${unit.arguments}`
  return {
    id: `restart-nova/${direction}/${host}`,
    title: isOn ? `Restart nova-compute on ${host}` : `Record the start time of nova-compute on ${host}`,
    doer: isOn || doer === 'agent' ? doer : 'console',
    calls: [isOn ? unit.restart : unit.start],
    command: isOn ? restart : sh`:`,
    undoCommand: isOn ? sh`:` : restart,
    sees: isOn
      ? `${words.sees} Guests keep running while it restarts.${waitText(draft.joined)}`
      : `nova-compute has run since ${novaStartOf(draft) ?? 'a time that its agent does not report'}.`,
    precondition: isOn ? words.precondition : 'None: the step only checks.',
    check: isOn
      ? `nova-compute has started after ${words.written}, and Nova reports it as up.`
      : `A roll back uses this time to check whether nova-compute has read ${words.read}.`,
    undo: isOn
      ? `None: another step restarts nova-compute once ${words.before}.`
      : `Restarts nova-compute once ${words.before}, if it has read ${words.again}.`,
    task: {
      kind: 'restart-nova',
      host,
      service: draft.joined.service.value?.host ?? host,
      direction,
      startedAt: novaStartOf(draft),
      evidence: isOn ? after : before,
      isTelling: isTelling(after, before),
    },
  }
}
