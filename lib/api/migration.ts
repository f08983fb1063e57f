import { queryOptions } from '@tanstack/react-query'
import type { Migration } from '@/lib/schemas/api/migration'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

/** `type` null: the one that most hosts carry. */
type MigrationScope = { cloud: string | null; type: string | null }

const migrationKeys = {
  all: ['migration'] as const,
  matrix: ({ cloud, type }: MigrationScope) => ['migration', { cloud, type }] as const,
}

/** Versions and settings hardly move; what is full does, with each round. */
export const migrationOptions = (scope: MigrationScope) =>
  queryOptions({
    queryKey: migrationKeys.matrix(scope),
    queryFn: ({ signal }) => requestJson<Migration>({ path: apiPaths.migration(scope), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
    placeholderData: (previous) => previous,
  })
