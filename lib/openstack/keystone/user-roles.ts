import * as z from 'zod'
import type { KeystoneCall } from './keystone-call'
import { listPages, wholeList } from './keystone-pages'
import type { Keystone, UserRole } from './types'

export const roleAssignmentsSchema = z.object({
  role_assignments: z.array(
    z.object({
      role: z.object({ name: z.string() }),
      scope: z.object({
        project: z.object({ id: z.string() }).optional(),
        system: z.object({ all: z.boolean().optional() }).optional(),
      }),
    }),
  ),
})

type Assignment = z.output<typeof roleAssignmentsSchema>['role_assignments'][number]

/** Roles on domains are omitted, because the console has no domain scope. */
const toUserRole = ({ role, scope }: Assignment): UserRole[] => {
  if (scope.system?.all === true) return [{ role: role.name, scope: { kind: 'system' } }]
  return scope.project === undefined
    ? []
    : [{ role: role.name, scope: { kind: 'project', id: scope.project.id } }]
}

/**
 * `effective` lists the roles that come from groups, from parent projects and from other roles, too
 * (keystone/api/role_assignments.py: _build_role_assignments_list).
 */
export const createUserRoles = (call: KeystoneCall): Pick<Keystone, 'listUserRoles'> => ({
  listUserRoles: async ({ userId, ...rest }) => {
    const list = await listPages(call, {
      ...rest,
      path: '/role_assignments',
      filters: { 'user.id': userId, effective: 'true', include_names: 'true' },
      what: 'role assignments',
      schema: roleAssignmentsSchema,
      itemsOf: (page: z.output<typeof roleAssignmentsSchema>) => page.role_assignments,
    })
    return wholeList(call, list).flatMap(toUserRole)
  },
})
