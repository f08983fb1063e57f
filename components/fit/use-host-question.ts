import { useQueryStates } from 'nuqs'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import type { HostQuestion } from '@/lib/api/flavors'
import { fitSearchParams } from './fit-search-params'

/** What the list of hosts is narrowed to. */
export const useHostQuestion = (): HostQuestion => {
  const [{ q, group }] = useQueryStates(fitSearchParams)
  return { q: useSettled(q, SETTLED_MS).trim(), group }
}
