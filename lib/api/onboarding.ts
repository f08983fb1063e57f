import { queryOptions } from '@tanstack/react-query'
import type { Onboarding } from '@/lib/schemas/api/onboarding'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

type Scope = { cloud: string | null }

/** Polled while it is shown, which is in a new console only. */
export const onboardingOptions = (scope: Scope) =>
  queryOptions({
    queryKey: ['onboarding', scope] as const,
    queryFn: ({ signal }) => requestJson<Onboarding>({ path: apiPaths.onboarding(scope), signal }),
    refetchInterval: 10_000,
  })
