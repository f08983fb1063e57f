import type { Repair } from './break'
import type { Operator } from './operator'

/** A cloud that never used unified limits: no limits of Nova's, and no role for its user that could read them. */
export const forgetLimits = async ({ account }: Operator): Promise<Repair> => {
  const { limits, ...keystone } = account.keystone
  const tokenId = (await account.token('system')).id
  const serviceId = (await account.novaEndpointIds())?.serviceId ?? ''
  const { items: own } = await limits.list({ tokenId, serviceId })
  const { items: registered } = await limits.listRegistered({ tokenId, serviceId })
  const [user] = await keystone.listUsers({ tokenId, name: 'nova' })
  const userId = user?.id ?? ''
  const roles = await keystone.listSystemRoles({ tokenId, userId })
  const forget = async () => {
    for (const { id } of (await limits.list({ tokenId, serviceId })).items)
      await limits.remove({ tokenId, id })
    for (const { id } of (await limits.listRegistered({ tokenId, serviceId })).items)
      await limits.removeRegistered({ tokenId, id })
  }
  await forget()
  for (const { id: roleId } of roles) await keystone.revokeSystemRole({ tokenId, userId, roleId })
  return async () => {
    await forget()
    await limits.createRegistered({ tokenId, limits: registered })
    await limits.create({
      tokenId,
      limits: own.flatMap(({ projectId, ...row }) => (projectId === null ? [] : [{ ...row, projectId }])),
    })
    for (const { id: roleId } of roles) await keystone.grantSystemRole({ tokenId, userId, roleId })
  }
}
