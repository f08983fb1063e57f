import type { HostQuestion } from '@/lib/api/flavors'
import { FIT_GROUPS } from '@/lib/schemas/choices'

type SearchParams = Record<string, string | string[] | undefined>

/** What the list of hosts is narrowed to, by the address of a page. */
export const hostQuestion = ({ q, group }: SearchParams): HostQuestion => ({
  q: ([q].flat()[0] ?? '').trim(),
  group: FIT_GROUPS.find((each) => each === [group].flat()[0]) ?? null,
})
