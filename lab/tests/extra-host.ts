import { execFileSync } from 'node:child_process'
import type { Operator } from './operator'

export const runExtraHost = (...args: string[]) =>
  execFileSync('bash', ['lab/extra-host.sh', ...args], { stdio: 'pipe' })

/** Deletes the service of a nova-compute that has ended. */
export const forgetService = async ({ nova, placement, ask }: Operator, name: string): Promise<void> => {
  const service = (await nova.listServices()).find(({ host }) => host === name)
  if (service === undefined) return
  const known = await placement.listProviders()
  // Nova fails with a compute node that Placement does not know, and keeps what still has an allocation without an error.
  for (const { id, serviceHost } of await nova.listHypervisors())
    if (serviceHost === name && !known.some(({ uuid }) => uuid === id))
      await placement.createProvider({ uuid: id, name: `${name}-to-be-forgotten` })
  await ask('DELETE', `/os-services/${service.id}`)
}

/** Removes a host of lab/hosts, once its servers are deleted, from the lab, Nova and Placement. */
export const removeHost = async (operator: Operator, name: string): Promise<void> => {
  runExtraHost('remove', name)
  await forgetService(operator, name)
  const { placement } = operator
  const left = (await placement.listProviders()).filter((each) => each.name.startsWith(`${name}_`))
  for (const { uuid } of left) await placement.deleteProvider(uuid)
  const root = await operator.providerNamed(name)
  if (root !== null) await placement.deleteProvider(root.uuid)
}
