import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { blocked } from './blocked'
import { type ConsoleHandler, StepFailed, type StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'grant-system-role' }>

const hasRole = async ({ limits }: StepTools, { userId, role }: Task): Promise<boolean> =>
  (await limits.listSystemRoles(userId)).some(({ name }) => name === role)

const roleId = async ({ limits }: StepTools, { role }: Task): Promise<string> => {
  const found = (await limits.listRoles(role)).find(({ name }) => name === role)
  if (found === undefined) throw new StepFailed(`Keystone has no role ${role}. Create it, or skip the step.`)
  return found.id
}

/**
 * Assigns a user a role on the system, even if the user already has it through another role, because Nova's setting
 * refers to it by name.
 */
export const grantSystemRoleHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, task) => {
    try {
      return (await hasRole(tools, task))
        ? { state: 'holds', answer: `${task.userName} has the role ${task.role} on the system.` }
        : { state: 'ready', intent: { userId: task.userId } }
    } catch (error) {
      if (!(isOpenStackError(error) && error.status === 404)) throw error
      return blocked(`Keystone no longer has the user ${task.userName} (${task.userId}).`)
    }
  },
  act: async (tools, task) => {
    await tools.limits.grantSystemRole({ userId: task.userId, roleId: await roleId(tools, task) })
    return `PUT /v3/system/users/${task.userId}/roles: ${task.role} assigned.`
  },
  checkUndo: async (tools, task, intent) =>
    (await hasRole(tools, task))
      ? { state: 'ready', intent }
      : { state: 'holds', answer: `${task.userName} has no role ${task.role} on the system.` },
  undo: async (tools, task) => {
    await tools.limits.revokeSystemRole({ userId: task.userId, roleId: await roleId(tools, task) })
    return `DELETE /v3/system/users/${task.userId}/roles: ${task.role} revoked.`
  },
}
