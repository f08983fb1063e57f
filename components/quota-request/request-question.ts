import type { RequestQuestion } from '@/lib/api/quota-requests'
import type { RequestGroup } from '@/lib/schemas/api/quota-request'

/** What the page of requests requests for its filter. */
export const requestQuestion = (
  cloud: string | null,
  { q, group }: { q: string; group: RequestGroup | null },
): RequestQuestion => ({ cloud, q: q.trim(), group })
