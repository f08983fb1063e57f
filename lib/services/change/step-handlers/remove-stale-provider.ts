import 'server-only'
import { layoutNow } from '@/lib/domain/plans/host-steps/host-layout'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { blocked, GOES_ON, unreadable } from './blocked'
import { providerByName } from './provider-by-name'
import type { ConsoleHandler } from './step-work'

type Task = Extract<StepTask, { kind: 'remove-stale-provider' }>

/**
 * Deletes a provider whose device no longer has a type; Nova never deletes it from Placement
 * (nova/virt/libvirt/driver.py _update_provider_tree_for_vgpu).
 */
export const removeStaleProviderHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, { host, provider: { address, name } }) => {
    const provider = await providerByName(tools, name)
    if (provider === null) return { state: 'holds', answer: `Placement has no provider ${name}.` }
    const { joined, reason } = await tools.hostNow(host)
    if (joined === null) return unreadable(host, reason)
    const layout = layoutNow(joined)
    const type = layout?.parents.find((parent) => parent.address === address)
    const owner = joined.pgpus.find(({ functions }) => functions.includes(address))
    // The card went to guests whole, or the VF is switched off.
    const isNoParent = type === undefined && (owner === undefined || owner.pgpu.framework === 'passthrough')
    if (layout === null || (type?.typeId !== null && !isNoParent))
      return blocked(`nova.conf of ${host} assigns ${type?.typeId ?? 'an unknown type'} to ${address}.`)
    const { allocations } = await tools.placement.getAllocations(provider.uuid)
    return allocations.length === 0
      ? { state: 'ready', intent: { uuid: provider.uuid } }
      : blocked(
          `${name} is allocated to ${allocations[0]?.consumerUuid}.`,
          `Migrate or delete the server. ${GOES_ON}`,
        )
  },
  act: async (tools, { provider: { name } }) => {
    const provider = await providerByName(tools, name)
    if (provider === null) return `Placement has no provider ${name}.`
    try {
      await tools.placement.deleteProvider(provider.uuid)
    } catch (error) {
      // The provider was deleted in the meantime; the next check confirms it.
      if (!(isOpenStackError(error) && error.status === 404)) throw error
    }
    return `DELETE /resource_providers/${provider.uuid}: gone.`
  },
  checkUndo: async (_tools, { provider: { name } }) => ({
    state: 'holds',
    answer: `Nova recreates ${name} when it has the old type.`,
  }),
  undo: async () => 'Nova recreates it.',
}
