'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { freshnessOptions } from '@/lib/api/freshness'
import { useCloud } from './use-cloud'

const NONE: readonly { host: string; seenAt: string | null }[] = []

/** Silent hosts with the time of their last report (null: never). Their numbers are grey. */
export const useSilentHosts = (): ReadonlyMap<string, string | null> => {
  const { cloud } = useCloud()
  const { data } = useQuery(freshnessOptions({ cloud }))
  const hosts = data?.silentHosts ?? NONE
  return useMemo(() => new Map(hosts.map(({ host, seenAt }) => [host, seenAt])), [hosts])
}
