import { queryOptions } from '@tanstack/react-query'
import type { CloudList } from '@/lib/schemas/api/cloud-list'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

const cloudKeys = { all: ['clouds'] as const }

export const cloudListOptions = () =>
  queryOptions({
    queryKey: cloudKeys.all,
    queryFn: ({ signal }) => requestJson<CloudList>({ path: apiPaths.clouds(), signal }),
    staleTime: 60_000,
  })
