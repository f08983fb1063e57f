import type { ScopeDto } from '@/lib/schemas/api/session'

/** A scope as people call it: "the whole system", a project's name. */
export const scopeName = (scope: ScopeDto): string => (scope.kind === 'system' ? 'System' : scope.name)

/** Distinguishes scopes of the same name: the project's domain. */
export const scopeNote = (scope: ScopeDto): string =>
  scope.kind === 'system' ? 'the whole cloud' : `project in ${scope.domain}`

export const scopeKey = (scope: ScopeDto): string => (scope.kind === 'system' ? 'system' : scope.id)
