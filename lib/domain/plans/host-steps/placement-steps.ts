import { providerNameFor } from '@/lib/domain/cloud/occupants'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { classInLayout, parentsOfPgpu } from './host-layout'
import { type HostDraft, totalAfter } from './preview'
import type { HostStep, VerifyTask } from './tasks'

/** What is expected of each target once nova-compute has read its new type. */
export const verifyTasks = (draft: HostDraft): VerifyTask[] =>
  draft.targets.map(({ entry, to }) => ({
    kind: 'verify-pgpu',
    host: draft.joined.host.name,
    address: entry.pgpu.address,
    typeId: to.typeId,
    typeName: to.shortName,
    resourceClass: classInLayout(draft.after, to.typeId),
    total: totalAfter(draft, { entry, to }),
    rootName: draft.joined.root.value?.name ?? draft.joined.host.name,
    providers: parentsOfPgpu(draft.joined, entry.pgpu.address).map((address) => ({
      address,
      name: providerNameFor(draft.joined, address),
    })),
  }))

/** The values of each target in Placement before the change, from the existing providers. */
export const formerTasks = (draft: HostDraft): VerifyTask[] =>
  verifyTasks(draft).map((task, index) => {
    const entry = draft.targets[index]?.entry
    const former = entry?.pgpu.currentType
    const resourceClass = former == null ? task.resourceClass : classInLayout(draft.before, former.typeId)
    return {
      ...task,
      typeId: former?.typeId ?? task.typeId,
      typeName: former?.shortName ?? task.typeName,
      resourceClass,
      total: (entry?.providers ?? []).reduce(
        (sum, { provider }) =>
          sum +
          (provider.inventories?.[resourceClass]?.total ??
            provider.inventories?.[resourceClass]?.capacity ??
            0),
        0,
      ),
    }
  })

/** Hardware, nova.conf and Placement agree on the new type. */
export const verifyStep = (task: VerifyTask): HostStep => {
  const { host, address, typeName, typeId, resourceClass, total, providers } = task
  const names = shellArguments(providers.map(({ name }) => name))
  return {
    id: `verify-pgpu/${host}/${address}`,
    title: `Check that Placement reports ${resourceClass} total ${total} for ${host} ${address}`,
    doer: 'console',
    calls: [
      http`GET /resource_providers?in_tree=<${httpPart(task.rootName)}>`,
      http`GET /resource_providers/<uuid of ${httpPart(providers[0]?.name ?? '')}>/inventories`,
    ],
    command: sh`expect_total ${shellWord(resourceClass)} ${total} ${names}`,
    undoCommand: sh`expect_unused ${names}\nremove_spares ${shellArguments([host, ...providers.map((one) => one.address)])}`,
    sees: `An empty card holds ${total} of ${typeName}.`,
    precondition:
      'nova-compute has read its configuration; it writes to Placement at its start and every minute.',
    check: `The driver has ${total} ${typeId} created or creatable, and the providers of ${address} offer ${resourceClass} ${total} in sum and nothing else.`,
    undo: 'Waits until no server holds a vGPU of the new type there and its mdevs are removed.',
    task,
  }
}

/**
 * Providers of VFs that get no type any more: Nova never deletes them from Placement (nova/virt/libvirt/driver.py
 * _update_provider_tree_for_vgpu).
 */
export const staleSteps = (draft: HostDraft): HostStep[] => {
  const host = draft.joined.host.name
  const given = new Map(draft.after.parents.map(({ address, typeId }) => [address, typeId]))
  return draft.targets
    .flatMap(({ entry }) => entry.providers)
    .filter(({ kind, address }) => kind === 'mdev' && (given.get(address) ?? null) === null)
    .map(({ provider, address }) => ({
      id: `remove-stale-provider/${provider.name}`,
      title: `Remove the stale provider of ${host} ${address}`,
      doer: 'console',
      calls: [
        http`GET /resource_providers?name=${httpPart(provider.name)}`,
        http`DELETE /resource_providers/<uuid>`,
      ],
      command: sh`delete_provider ${shellWord(provider.name)}`,
      undoCommand: sh`:`,
      sees: `${provider.name} offers vGPUs, and nova.conf no longer assigns a type to ${address}.`,
      precondition: 'Nothing is allocated from it.',
      check: `Placement has no provider ${provider.name}.`,
      undo: 'None: Nova recreates the provider when the card has the old type again.',
      task: { kind: 'remove-stale-provider', host, provider: { address, name: provider.name } },
    }))
}
