import type { ScopeChoice, ScopeDto } from '@/lib/schemas/api/session'

/** A scope as people call it: "System", a project's name. */
export const scopeName = (scope: ScopeDto): string => (scope.kind === 'system' ? 'System' : scope.name)

/** Distinguishes scopes of the same name: the project's domain. */
export const scopeNote = (scope: ScopeDto): string =>
  scope.kind === 'system' ? 'the whole cloud' : `project in ${scope.domain}`

export const scopeKey = (scope: ScopeDto): string => (scope.kind === 'system' ? 'system' : scope.id)

const ROLE_LABELS: Record<NonNullable<ScopeChoice['role']>, string> = {
  admin: 'admin',
  reader: 'reader',
  tenant: 'tenant',
  none: 'no access',
}

/** The role that the choice gives; null where it is unknown. */
export const scopeRoleLabel = ({ role }: ScopeChoice): string | null =>
  role === null ? null : ROLE_LABELS[role]
