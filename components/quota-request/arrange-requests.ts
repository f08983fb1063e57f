import { className } from '@/components/quota/quota-words'
import type { RequestStanding } from '@/lib/domain/quota-request/request-standing'
import type { ListedRequest } from '@/lib/schemas/api/quota-request'

export const REQUEST_GROUPS = ['open', 'granted', 'past'] as const
export type RequestGroup = (typeof REQUEST_GROUPS)[number]

const GROUP_OF: Readonly<Record<RequestStanding, RequestGroup>> = {
  open: 'open',
  unwritten: 'open',
  reverted: 'open',
  writing: 'granted',
  granted: 'granted',
  ending: 'granted',
  ended: 'past',
  left: 'past',
  declined: 'past',
  withdrawn: 'past',
}

export const groupOf = ({ standing }: Pick<ListedRequest, 'standing'>): RequestGroup => GROUP_OF[standing]

/** Those of a group that hold every word in project, class, reason or who asked. */
export const arrangeRequests = (
  requests: readonly ListedRequest[],
  { q, group }: { q: string; group: RequestGroup | null },
): ListedRequest[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return requests.filter((request) => {
    const { projectName, resourceName, reason, madeBy } = request
    const text = `${projectName} ${className(resourceName)} ${reason} ${madeBy}`.toLowerCase()
    return (group === null || groupOf(request) === group) && words.every((word) => text.includes(word))
  })
}
